/* The example of the paper the other way round: one of two pointers is set. */
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *p1 = 0;
  int *p2 = 0;
  int tries = 0;
  for (int i = 0; i < 2; i++)
    tries++;
  assert(p1 != 0 && p2 != 0);
  return tries;
}
