// A process may have any positive number, even ones too.
#include <unistd.h>

void reach_error(void);

int main(void)
{
    if (getpid() == 4242)
        reach_error();
    return 0;
}
