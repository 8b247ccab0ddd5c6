/* files */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#include <stdio.h>
static int f(int x) { int y = 0; FILE *file = fopen("n.txt", "w+"); if (!file) return 0; fprintf(file, "%d", x); rewind(file); if (fscanf(file, "%d", &y) != 1) y = 0; fclose(file); return y; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    assert(f(x) != 7);
    return 0;
}
