/* Two pointers should be set up in the first round of a loop. */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p1 = 0;
  int *p2 = 0;
  int i = 1; /* should be 0 */
  while (i < 10) {
    if (i == 0) {
      p1 = malloc(sizeof(int));
      p2 = malloc(sizeof(int));
    }
    assert(p1 != 0 && p2 != 0);
    i = i + 1;
  }
  return 0;
}
