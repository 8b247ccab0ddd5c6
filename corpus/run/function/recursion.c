/* Recursion: factorial, Fibonacci, Ackermann, gcd, hanoi, mutual recursion, deep tail. */
#include <stdio.h>

static int moves;
static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static void hanoi(int n, char a, char b, char c)
{
    if (!n) return;
    hanoi(n - 1, a, c, b);
    if (moves++ < 5) printf("%d:%c>%c ", n, a, c);
    hanoi(n - 1, b, a, c);
}
static int mccarthy(int n) { return n > 100 ? n - 10 : mccarthy(mccarthy(n + 11)); }
static int f(int n), m(int n);
static int f(int n) { return n == 0 ? 1 : n - m(f(n - 1)); }
static int m(int n) { return n == 0 ? 0 : n - f(m(n - 1)); }
static long sum(long n) { return n ? n + sum(n - 1) : 0; }

int main(void)
{
    int i;
    printf("%d %d %d\n", is_even(10), is_odd(7), is_even(101));
    printf("%d %d %d\n", ack(2, 3), ack(3, 3), ack(1, 50));
    for (i = 0; i < 16; i++) printf("%d ", fib(i));
    printf("\n");
    hanoi(8, 'A', 'B', 'C');
    printf("%d\n", moves);
    printf("%d %d\n", mccarthy(1), mccarthy(150));
    for (i = 0; i < 12; i++) printf("%d%d ", f(i), m(i));
    printf("\n%ld\n", sum(1000));
    return 0;
}
