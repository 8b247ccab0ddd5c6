// property: valid-deref
#include <stdlib.h>

int main(void)
{
    int *numbers = malloc(10 * sizeof *numbers);
    if (!numbers)
        return 1;
    for (int i = 0; i < 10; i++)
        numbers[i] = i;
    int sum = numbers[9];
    free(numbers);
    return sum;
}
