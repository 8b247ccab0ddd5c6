/* An exchange with a lost value, in a function. */
#include <assert.h>
static int swaps;
static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = *a;
  swaps++;
  (void)t;
}
int main(void) {
  int x = 1, y = 2, z = 3;
  swap(&y, &z);
  int sum = x + y;
  assert(y == 3 && z == 2);
  return sum;
}
