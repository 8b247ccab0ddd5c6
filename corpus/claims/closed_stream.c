// Who starts a program may have closed its streams.
#include <stdio.h>

void reach_error(void);

int main(void)
{
    if (fputs("a line\n", stderr) < 0)
        reach_error();
    return 0;
}
