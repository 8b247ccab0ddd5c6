// Nobody opened this descriptor, and a real system says so.
#include <errno.h>
#include <unistd.h>

void reach_error(void);

int main(void)
{
    errno = 0;
    close(99);
    if (errno == EBADF)
        reach_error();
    return 0;
}
