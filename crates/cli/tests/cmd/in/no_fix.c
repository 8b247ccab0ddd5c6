#include <assert.h>

int main(void)
{
    int *first = 0;
    int *second = 0;
    assert(first != 0 && second != 0);
    return 0;
}
