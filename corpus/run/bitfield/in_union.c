/* Bit-fields in a union with an integer: pack and unpack machine words, float fields. */
#include <stdint.h>
#include <stdio.h>

union insn {
    uint32_t word;
    struct { uint32_t op : 6, rs : 5, rt : 5; int32_t imm : 16; } i;
    struct { uint32_t op : 6; int32_t target : 26; } j;
    uint8_t byte[4];
};

union fl { float f; struct { unsigned mant : 23, exp : 8, sign : 1; } p; };

int main(void)
{
    union insn x;
    union fl f;
    float t[] = { 1.0f, -2.5f, 0.15625f, 1e10f };
    int k;
    x.word = 0;
    x.i.op = 43; x.i.rs = 17; x.i.rt = 30; x.i.imm = -4;
    printf("%08x %d\n", x.word, x.j.target);
    x.j.target >>= 3;
    printf("%08x %u %u %u %d\n", x.word, x.i.op, x.i.rs, x.i.rt, x.i.imm);
    x.byte[3] ^= 0x80;
    printf("%08x %d\n", x.word, x.i.imm);
    for (k = 0; k < 4; k++) {
        f.f = t[k];
        printf("%u %d %06x\n", f.p.sign, (int)f.p.exp - 127, f.p.mant);
        f.p.exp++;
        f.p.sign = !f.p.sign;
        printf("%g\n", f.f);
    }
    return x.i.op;
}
