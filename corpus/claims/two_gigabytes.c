// The largest object of the model is smaller than this one, and C lets `malloc` refuse it. A machine does not.
#include <stdlib.h>

void reach_error(void);

int main(void)
{
    size_t size = ((size_t)1 << 31) + 16;
    char *block = malloc(size);
    if (!block)
        return 0;
    block[size - 1] = 7;
    if (block[size - 1] == 7)
        reach_error();
    return 0;
}
