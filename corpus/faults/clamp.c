/* A value is cut at the wrong place. */
#include <assert.h>
extern int nondet_int(void);
int main(void) {
  int x = nondet_int(), low = 0, cuts = 0, negative = 0;
  int high = 1000;
  if (x < 0)
    negative = 1;
  if (x < low) {
    x = low;
    cuts++;
  }
  if (x > high) {
    x = high;
    cuts++;
  }
  assert(x <= 100);
  return negative + cuts;
}
