// What a model chooses counts also where the function is called through a pointer.
#include <unistd.h>

void reach_error(void);

static int (*shut)(int) = close;

int main(void)
{
    if (shut(99) != 0)
        reach_error();
    return 0;
}
