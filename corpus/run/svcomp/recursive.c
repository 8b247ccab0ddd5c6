/* Recursive functions with assertions on results, as in the recursive category. */
#include <assert.h>
#include <stdio.h>

static int calls;
static int addition(int m, int n) { calls++; if (n == 0) return m; if (n > 0) return addition(m + 1, n - 1); return addition(m - 1, n + 1); }
static int mult(int n, int m) { calls++; if (m < 0) return mult(n, -m); if (m == 0) return 0; return n + mult(n, m - 1); }
static int id(int x) { if (x == 0) return 0; return id(x - 1) + 1; }
static int id2(int x); static int id1(int x) { if (x == 0) return 0; return id2(x - 1) + 1; }
static int id2(int x) { if (x == 0) return 0; return id1(x - 1) + 1; }
static int gcd(int a, int b) { if (a == b) return a; if (a > b) return gcd(a - b, b); return gcd(a, b - a); }
static int divides(int n, int m) { if (m == 0) return 1; if (n > m) return 0; return divides(n, m - n); }
static int sum(int n, int m) { if (n <= 0) return m + n; return sum(n - 1, m + 1); }
static int is_prime_(int n, int m) { if (m <= 1) return 1; if (n % m == 0) return 0; return is_prime_(n, m - 1); }
static int even(int n); static int odd(int n) { if (n == 0) return 0; if (n == 1) return 1; return even(n - 1); }
static int even(int n) { if (n == 0) return 1; return odd(n - 1); }

int main(void)
{
    int i, j, primes = 0;
    for (i = 0; i < 12; i++) for (j = -5; j < 7; j++) {
        if (addition(i, j) != i + j) { ERROR: assert(0); }
        if (mult(i, j) != (j < 0 ? -i * j : i * j)) goto ERROR;
    }
    for (i = 1; i < 40; i += 3) { int g; assert(id(i) == i && id1(i) == id2(i)); g = gcd(i, 24); assert(divides(g, i) && divides(g, 24)); assert(sum(i, 5) == i + 5); }
    for (i = 2; i < 60; i++) primes += is_prime_(i, i - 1);
    assert(even(20) && odd(33) && !even(7));
    printf("%d calls, %d primes\n", calls, primes);
    return primes;
}
