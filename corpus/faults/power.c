/* A power by repeated squaring, from 0. */
#include <assert.h>
int main(void) {
  unsigned base = 3, exponent = 5, squarings = 0;
  unsigned result = 0;
  while (exponent) {
    if (exponent & 1)
      result *= base;
    base *= base;
    exponent >>= 1;
    squarings++;
  }
  assert(result == 243);
  return squarings;
}
