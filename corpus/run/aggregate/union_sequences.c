/* Tagged variants sharing a common initial sequence, unions of arrays and structs, nested unions in arrays. */
#include <stdio.h>

struct hdr { unsigned char kind, len; };
union msg { struct hdr h; struct { struct hdr h; short v[3]; } shorts; struct { struct hdr h; char t[8]; } text; struct { struct hdr h; union { float f; unsigned u; } x; } real; };
static int weight(const union msg *m)
{
    int i, s = 0;
    switch (m->h.kind) {
    case 1: for (i = 0; i < m->shorts.h.len; i++) s += m->shorts.v[i]; return s;
    case 2: for (i = 0; i < m->h.len; i++) s += m->text.t[i]; return s;
    case 3: return m->real.x.u >> 23;
    }
    return -1;
}
static union msg text(const char *s) { union msg m = { .text = { { 2 } } }; while (*s) m.text.t[m.h.len++] = *s++; return m; }

int main(void)
{
    union msg m[4] = { { .shorts = { { 1, 3 }, { 100, -50, 7 } } }, { .real = { { 3 }, { 2.5f } } } }, *p;
    m[2] = text("abc"); m[3] = m[2]; m[3].text.t[1] = 'z';
    for (p = m; p < m + 4; p++) printf("%d %d %d\n", p->h.kind, p->h.len, weight(p));
    m[1].real.x.u ^= 1u << 31; printf("%g\n", m[1].real.x.f);
    m[0].h.len = 2; printf("%d\n", weight(m));
    m[0].h.kind = 9; printf("%d %zu\n", weight(&m[0]), sizeof(union msg));
    return m[3].text.t[1];
}
