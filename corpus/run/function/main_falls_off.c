/* Reaching the end of main returns zero; a void function with bare returns; return in a loop. */
#include <stdio.h>

static void early(int x)
{
    if (x < 0) return;
    while (1) {
        if (x > 3) { printf("big %d\n", x); return; }
        x++;
        if (x == 2) { printf("two\n"); continue; }
        printf("at %d\n", x);
    }
}
static int search(const int *a, int n, int x) { for (int i = 0; i < n; i++) if (a[i] == x) return i; return -1; }
static void nothing(void) { }
static void *null(void) { return 0; }
static void chain(int x) { return early(x); }

int main(void)
{
    int a[] = { 3, 1, 4, 1, 5 };
    early(-1); early(0); early(9); nothing(); chain(3);
    printf("%d %d %d\n", search(a, 5, 4), search(a, 5, 9), search(a, 5, 1));
    printf("%d\n", null() == NULL);
    (void)search(a, 0, 0);
}
