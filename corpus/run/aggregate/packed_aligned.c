/* __attribute__((packed, aligned)), _Alignas and _Alignof: sizes, offsets, and accesses to members. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct __attribute__((packed)) hdr { uint8_t type; uint32_t len; uint16_t crc; uint64_t id; };
struct plain { uint8_t type; uint32_t len; uint16_t crc; uint64_t id; };
struct part { char c; int i __attribute__((packed)); char d; };
struct al { char c; int x __attribute__((aligned(16))); };
struct __attribute__((aligned(32))) wide { char c; };
struct pf { unsigned a : 3; unsigned b : 17; char c; } __attribute__((packed));
struct with { char c; _Alignas(8) char d; };
typedef int aligned_int __attribute__((aligned(8)));

int main(void)
{
    struct hdr h = { 1, 0xdeadbeef, 0xabcd, 0x1122334455667788 }, g[3] = { h, h, h };
    struct pf p = { 5, 100000, 'x' };
    unsigned char *b = (unsigned char *)&h;
    unsigned i;
    _Alignas(64) int v = 4;
    printf("%zu %zu\n", sizeof(struct hdr), sizeof(struct plain));
    printf("%zu %zu %zu\n", offsetof(struct hdr, len), offsetof(struct hdr, crc), offsetof(struct hdr, id));
    printf("%zu %zu\n", sizeof(struct part), offsetof(struct part, i));
    printf("%zu %zu %zu\n", sizeof(struct al), offsetof(struct al, x), _Alignof(struct al));
    printf("%zu %zu\n", sizeof(struct wide), _Alignof(struct wide));
    printf("%zu %zu\n", sizeof(struct with), offsetof(struct with, d));
    printf("%zu %zu %zu %zu\n", _Alignof(char), _Alignof(short), _Alignof(double), __alignof__(aligned_int));
    printf("%zu %d %d %c\n", sizeof p, p.a, p.b, p.c);
    for (i = 0; i < sizeof h; i++)
        printf("%02x", b[i]);
    printf("\n");
    g[1].len += 0x11;
    g[1].id = g[0].crc;
    h = g[1];
    printf("%x %x %lx\n", h.len, h.crc, (long)h.id);
    printf("%d\n", v + (int)((uintptr_t)&v % 64));
    return 0;
}
