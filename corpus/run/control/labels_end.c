/* Labels before closing braces, unused labels, labels named like variables and types, label scope per function. */
#include <stdio.h>

typedef int T;
struct x { int x; };

static int f(int n)
{
    int x = 0;
x:
    x++;
    if (x < n) goto x;
    goto T;
T:
    return x;
}

static void g(int n)
{
    int i;
    for (i = 0; i < n; i++) {
        if (i % 3) goto next;
        printf("%d ", i);
    next: ;
    }
    while (n) { n--; if (n == 2) goto out; }
out: unused: printf("| %d\n", n);
    if (n) goto end;
    puts("zero");
end:;
}

int main(void)
{
    struct x x = { 1 };
    T i = 0;
    printf("%d\n", f(5));
    g(8); g(0); g(1);
x:  i++;
    if (i < 3) goto x;
    printf("%d %d\n", i, x.x);
    { L1: L2: i += 2; if (i < 9) goto L1; if (i < 12) goto L2; }
    printf("%d\n", i);
    if (i > 100) lone: i = 0;
    switch (i) { case 0: ; }
    return i;
}
