// The largest object of the model is smaller than this one, and C lets `malloc` refuse it. A machine does not.
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    size_t size = ((size_t)1 << 31) + 16;
    char *block = malloc(size);
    if (!block)
        return 0;
    block[size - 1] = 7;
    assert(block[size - 1] != 7);
    return 0;
}
