/* Two names of one object: `alias`, and names for the assembler. */
#include <stdio.h>

int counter = 3;
extern int total __attribute__((alias("counter")));

extern int late[] __attribute__((alias("table")));
int *into_late = &late[1];
static int table[3] = {1, 2, 3};

struct pair {
    int *a, *b;
} both = {&counter, &total};

int twice(int x)
{
    static int n_calls;
    n_calls++;
    return 2 * x + 100 * n_calls;
}
int doubled(int x) __attribute__((alias("twice")));
int (*through)(int) = doubled;

int shown __asm__("kept_elsewhere") = 8;
extern int kept __asm__("kept_elsewhere");

int plain(int x)
{
    return x - 1;
}
int relabelled(int x) __asm__("plain");

int main(void)
{
    counter = 5;
    total += 2;
    printf("%d %d %d\n", counter, total, &counter == &total);
    *both.b = 9;
    printf("%d %d\n", counter, both.a == both.b);
    table[1] = 20;
    printf("%d %d %d\n", late[1], *into_late, into_late == table + 1);
    printf("%d %d %d\n", twice(1), doubled(1), through(1));
    printf("%d %d\n", twice == doubled, through == twice);
    kept = 80;
    printf("%d\n", shown);
    printf("%d\n", relabelled(4));
    return 0;
}
