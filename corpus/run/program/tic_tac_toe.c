/* Minimax for tic-tac-toe with bit boards and memoization: perfect play, counts of positions. */
#include <stdio.h>
#include <string.h>

static signed char memo[512][512]; static int visited;
static int wins(int b) { static const int l[] = { 7, 56, 448, 73, 146, 292, 273, 84 }; int i; for (i = 0; i < 8; i++) if ((b & l[i]) == l[i]) return 1; return 0; }
static int score(int me, int you)
{
    int best = -2, i;
    signed char *m = &memo[me][you];
    if (*m) return *m - 2;
    visited++;
    if (wins(you)) best = -1;
    else if ((me | you) == 511) best = 0;
    else for (i = 0; i < 9; i++) if (!((me | you) >> i & 1)) { int s = -score(you, me | 1 << i); if (s > best) best = s; }
    *m = best + 2;
    return best;
}

int main(void)
{
    int me = 0, you = 0, turn, i;
    printf("%d %d\n", score(0, 0), visited);
    for (i = 0; i < 9; i++) printf("%d ", -score(0, 1 << i));
    printf("\n");
    for (turn = 0; (me | you) != 511 && !wins(you); turn++) {
        int best = -2, at = 0, t;
        for (i = 0; i < 9; i++) if (!((me | you) >> i & 1)) { int s = -score(you, me | 1 << i); if (s > best) { best = s; at = i; } }
        printf("%c%d ", "XO"[turn & 1], at);
        me |= 1 << at; t = me; me = you; you = t;
    }
    printf("| %d %d\n", turn, wins(you));
    printf("%d %d\n", score(1 << 0 | 1 << 8, 1 << 4), score(3, 3 << 3));
    return 0;
}
