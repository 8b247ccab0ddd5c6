/* `fma` and `fmaf` round once: a sum of bits over values of all kinds, half of them with much cancellation. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static double any_double(void) {
    uint64_t bits = next();
    double value;
    if (bits % 8 == 0)
        bits = (bits & 0x800fffffffffffffu) | (1020 + (bits >> 8) % 8) << 52;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float any_float(void) {
    uint32_t bits = (uint32_t)next();
    float value;
    if (bits % 8 == 0)
        bits = (bits & 0x807fffffu) | (124 + (bits >> 8) % 8) << 23;
    memcpy(&value, &bits, sizeof value);
    return value;
}

int main(void) {
    uint64_t sum = 0;
    for (int i = 0; i < 20000; i++) {
        double a = any_double(), b = any_double();
        double wide = fma(a, b, i % 2 ? any_double() : -(a * b));
        uint64_t wide_bits = 1;
        if (wide == wide)
            memcpy(&wide_bits, &wide, sizeof wide);
        float p = any_float(), q = any_float();
        float narrow = fmaf(p, q, i % 2 ? any_float() : -(p * q));
        uint32_t narrow_bits = 1;
        if (narrow == narrow)
            memcpy(&narrow_bits, &narrow, sizeof narrow);
        sum = (sum * 1000003 + wide_bits) * 1000003 + narrow_bits;
    }
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
