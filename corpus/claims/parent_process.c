// Who started the process is not for the model to decide without a word.
#include <unistd.h>

void reach_error(void);

int main(void)
{
    if (getppid() != 1)
        reach_error();
    return 0;
}
