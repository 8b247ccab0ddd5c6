/* Base64 encode and decode of all small lengths, with padding and round trip; hex dump. */
#include <stdio.h>
#include <string.h>

static const char abc[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int encode(char *out, const unsigned char *in, int n)
{
    char *o = out;
    for (; n > 0; n -= 3, in += 3) {
        unsigned v = in[0] << 16 | (n > 1 ? in[1] << 8 : 0) | (n > 2 ? in[2] : 0);
        *o++ = abc[v >> 18]; *o++ = abc[v >> 12 & 63];
        *o++ = n > 1 ? abc[v >> 6 & 63] : '='; *o++ = n > 2 ? abc[v & 63] : '=';
    }
    *o = 0;
    return o - out;
}
static int decode(unsigned char *out, const char *in)
{
    int n = 0; unsigned v = 0; int bits = 0;
    for (; *in && *in != '='; in++) {
        const char *p = strchr(abc, *in);
        if (!p) return -1;
        v = v << 6 | (unsigned)(p - abc); bits += 6;
        if (bits >= 8) { bits -= 8; out[n++] = v >> bits & 0xff; }
    }
    return n;
}

int main(void)
{
    const char *s = "Many hands make light work.";
    char b[64]; unsigned char d[64], bin[] = { 0, 255, 128, 7, 254 };
    int n, k, i;
    for (n = 0; n <= 27; n += n < 4 ? 1 : 6) {
        k = encode(b, (const unsigned char *)s, n);
        printf("%2d %2d %s", n, k, b);
        k = decode(d, b); d[k] = 0;
        printf(" %d %s\n", k, memcmp(d, s, n) ? "BAD" : (char *)d);
    }
    encode(b, bin, 5); puts(b);
    k = decode(d, b);
    for (i = 0; i < k; i++) printf("%02x ", d[i]);
    printf("%d\n", decode(d, "a?b"));
    return 0;
}
