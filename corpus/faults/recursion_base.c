/* A factorial whose base is 0. */
#include <assert.h>
static int depth;
static int factorial(int n) {
  int result = 0;
  depth++;
  if (n > 1) {
    int rest = factorial(n - 1);
    result = n * rest;
  }
  return result;
}
int main(void) {
  int f = factorial(4);
  int digits = 0, rest = 24;
  while (rest) {
    digits++;
    rest /= 10;
  }
  assert(f == 24);
  return depth + digits;
}
