// What a compiler takes for a constant, and the zero that `fmin` gives, depend on the compiler; the size of a variable does not.
#include <math.h>
extern void reach_error(void);

int main(void) {
    int y = 3;
    char b[100];
    double zero = -0.0, other = 0.0;
    if (__builtin_object_size(b, 0) != 100 || __builtin_object_size(&y, 0) != sizeof y)
        reach_error();
    if (__builtin_constant_p(y) > 1 || fmin(zero, other) != 0)
        reach_error();
    return 0;
}
