/* Larger local arrays: zeroing, copying by struct, histogram, prefix sums, two arrays compared. */
#include <stdio.h>
#include <string.h>

struct block { unsigned char b[4096]; };
static unsigned digest(const struct block *b) { unsigned h = 0, i; for (i = 0; i < sizeof b->b; i++) h = h * 131 + b->b[i]; return h; }

int main(void)
{
    struct block x = { { 1, 2, 3 } }, y; int hist[256] = { 0 }, pre[257] = { 0 }, i; unsigned s = 1; long long big[500];
    printf("%u\n", digest(&x));
    for (i = 0; i < 4096; i++) { s = s * 1664525u + 1013904223u; x.b[i] = s >> 24; }
    y = x; y.b[4095] ^= 1;
    printf("%u %u %d\n", digest(&x), digest(&y), memcmp(&x, &y, 4095));
    for (i = 0; i < 4096; i++) hist[x.b[i]]++;
    for (i = 0; i < 256; i++) pre[i + 1] = pre[i] + hist[i];
    printf("%d %d %d\n", pre[64], pre[128], pre[256]);
    for (i = 0; i < 500; i++) big[i] = (long long)i * i * i - 1000000;
    for (s = i = 0; i < 500; i++) s += big[i] > 0;
    printf("%u %lld\n", s, big[499]);
    memmove(x.b + 100, x.b, 3000); memset(x.b, 0, 100);
    printf("%u\n", digest(&x));
    return 0;
}
