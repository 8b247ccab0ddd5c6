/* Usual arithmetic conversions: every signed/unsigned and width pair, seen through compare, division and size. */
#include <stdio.h>

#define SHOW(T, U) do { \
    T a = (T)-3; U b = (U)2; \
    printf(#T " x " #U ": lt=%d size=%d div=%lld mod=%lld add=%lld\n", \
           a < b, (int)sizeof(a + b), (long long)(a / b), (long long)(a % b), (long long)(a + b)); \
} while (0)

#define ROW(T) do { \
    SHOW(T, signed char); SHOW(T, unsigned char); SHOW(T, short); SHOW(T, unsigned short); \
    SHOW(T, int); SHOW(T, unsigned); SHOW(T, long); SHOW(T, unsigned long); \
    SHOW(T, long long); SHOW(T, unsigned long long); \
} while (0)

int main(void)
{
    ROW(signed char);
    ROW(unsigned char);
    ROW(short);
    ROW(unsigned short);
    ROW(int);
    ROW(unsigned);
    ROW(long);
    ROW(unsigned long);
    ROW(long long);
    ROW(unsigned long long);
    return 0;
}
