/* The value of assigning to a bit-field is the truncated stored value; compound assignments too. */
#include <stdio.h>

struct s { unsigned u3 : 3; int s3 : 3; unsigned long w40 : 40; _Bool b : 1; };

int main(void)
{
    struct s x = { 0 };
    int r, t;
    r = x.u3 = 13; printf("%d\n", r);
    r = x.s3 = 13; printf("%d\n", r);
    r = x.s3 = 3; printf("%d\n", r);
    r = x.s3 = 4; printf("%d\n", r);
    r = x.b = 2; printf("%d\n", r);
    r = t = x.u3 = x.s3 = 15; printf("%d %d %u %d\n", r, t, x.u3, x.s3);
    r = x.u3 += 5; printf("%d %u\n", r, x.u3);
    r = x.u3 *= 3; printf("%d %u\n", r, x.u3);
    r = x.s3 -= 4; printf("%d %d\n", r, x.s3);
    r = x.u3 <<= 1; printf("%d %u\n", r, x.u3);
    r = x.u3 ^= 7; printf("%d %u\n", r, x.u3);
    printf("%ld\n", (long)(x.w40 = -1));
    printf("%ld\n", (long)(x.w40 += 2));
    printf("%lx\n", (unsigned long)(x.w40 = 0x123456789abcdef0));
    printf("%d\n", (x.s3 = 10) * 10 + x.u3);
    return x.u3 + x.s3;
}
