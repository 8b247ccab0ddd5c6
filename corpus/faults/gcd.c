/* The greatest common divisor of two numbers, one of them mistyped. */
#include <assert.h>
static int gcd(int a, int b) {
  int rounds = 0;
  while (b != 0) {
    int r = a % b;
    a = b;
    b = r;
    rounds++;
  }
  return a;
}
int main(void) {
  int a = 48;
  int b = 17;
  int lcm = a * b, larger = a > b ? a : b;
  int g = gcd(a, b);
  lcm = lcm / g;
  assert(g == 6);
  return lcm + larger;
}
