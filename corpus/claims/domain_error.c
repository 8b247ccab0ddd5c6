// A function of math.h may set errno.
#include <errno.h>
#include <math.h>

void reach_error(void);

int main(int argc, char **argv)
{
    (void)argv;
    errno = 0;
    double root = log(-(double)(argc > 0));
    if (errno != 0 && argc > 0)
        reach_error();
    return root > 0;
}
