/* Ring buffer with unsigned wrapping indices: producer and consumer, overflow and underflow, peeking. */
#include <stdint.h>
#include <stdio.h>

#define SIZE 8
struct ring { uint8_t rd, wr; int16_t data[SIZE]; unsigned dropped; };
static uint8_t used(const struct ring *r) { return (uint8_t)(r->wr - r->rd); }
static int push(struct ring *r, int v) { if (used(r) == SIZE) { r->dropped++; return 0; } r->data[r->wr++ % SIZE] = v; return 1; }
static int pop(struct ring *r, int *v) { if (!used(r)) return 0; *v = r->data[r->rd++ % SIZE]; return 1; }

int main(void)
{
    struct ring r = { 250, 250 };
    int i, v, sum = 0, n = 0;
    unsigned s = 7;
    for (i = 0; i < 200; i++) {
        s = s * 1664525u + 1013904223u;
        if (s >> 30 != 0 || i < 10) push(&r, i * 331);
        if (s >> 31) while (pop(&r, &v)) { sum += v; n++; if (n % 3 == 0) break; }
        if (i % 40 == 0) printf("%d rd %u wr %u used %u\n", i, r.rd, r.wr, used(&r));
    }
    printf("%d %d %u\n", n, sum, r.dropped);
    while (pop(&r, &v)) printf("%d ", v);
    printf("\n%d\n", pop(&r, &v));
    return 0;
}
