/* N queens by backtracking with arrays and with bit masks; prints first solutions and counts. */
#include <stdio.h>

static int q[10], n, count;
static int ok(int r, int c) { int i; for (i = 0; i < r; i++) if (q[i] == c || q[i] - c == r - i || c - q[i] == r - i) return 0; return 1; }
static void place(int r)
{
    int c;
    if (r == n) { if (count++ < 2) { for (c = 0; c < n; c++) printf("%d", q[c]); printf(" "); } return; }
    for (c = 0; c < n; c++) if (ok(r, c)) { q[r] = c; place(r + 1); }
}
static int bits(unsigned all, unsigned cols, unsigned l, unsigned r)
{
    int k = 0; unsigned free_, b;
    if (cols == all) return 1;
    for (free_ = all & ~(cols | l | r); free_; free_ &= free_ - 1) { b = free_ & -free_; k += bits(all, cols | b, (l | b) << 1, (r | b) >> 1); }
    return k;
}

int main(void)
{
    for (n = 1; n <= 7; n++) { count = 0; place(0); printf("%d: %d %d\n", n, count, bits((1u << n) - 1, 0, 0, 0)); }
    printf("%d\n", bits(255, 0, 0, 0));
    return count;
}
