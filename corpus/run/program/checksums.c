/* CRC32 (table and bitwise), Adler-32, FNV-1a, djb2, CRC16, Fletcher over several strings. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t table[256];
static void build(void) { uint32_t i, c; int k; for (i = 0; i < 256; i++) { for (c = i, k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1; table[i] = c; } }
static uint32_t crc(const void *p, size_t n) { const uint8_t *b = p; uint32_t c = ~0u; while (n--) c = table[(c ^ *b++) & 0xff] ^ c >> 8; return ~c; }
static uint32_t crc_slow(const char *s) { uint32_t c = -1; for (; *s; s++) { int k; c ^= (uint8_t)*s; for (k = 8; k--;) c = c >> 1 ^ (0xedb88320u & -(c & 1)); } return c ^ 0xffffffffu; }
static uint32_t adler(const char *s) { uint32_t a = 1, b = 0; while (*s) { a = (a + (uint8_t)*s++) % 65521; b = (b + a) % 65521; } return b << 16 | a; }
static uint64_t fnv(const char *s) { uint64_t h = 0xcbf29ce484222325u; while (*s) { h ^= (uint8_t)*s++; h *= 0x100000001b3u; } return h; }
static uint32_t djb2(const char *s) { uint32_t h = 5381; int c; while ((c = *s++)) h = (h << 5) + h + c; return h; }
static uint16_t crc16(const char *s) { uint16_t c = 0xffff; for (; *s; s++) { int k; c ^= (uint16_t)((uint8_t)*s << 8); for (k = 0; k < 8; k++) c = c & 0x8000 ? c << 1 ^ 0x1021 : c << 1; } return c; }
static uint16_t fletcher(const char *s) { uint8_t a = 0, b = 0; while (*s) { a = (a + (uint8_t)*s++) % 255; b = (a + b) % 255; } return b << 8 | a; }

int main(void)
{
    static const char *const in[] = { "", "a", "123456789", "The quick brown fox jumps over the lazy dog", "\xff\x80\x01 bytes" };
    unsigned i;
    build();
    for (i = 0; i < 5; i++)
        printf("%08x %d %08x %016lx %08x %04x %04x\n", crc(in[i], strlen(in[i])), crc_slow(in[i]) == crc(in[i], strlen(in[i])), adler(in[i]), (unsigned long)fnv(in[i]), djb2(in[i]), crc16(in[i]), fletcher(in[i]));
    return crc("exit", 4) & 0x7f;
}
