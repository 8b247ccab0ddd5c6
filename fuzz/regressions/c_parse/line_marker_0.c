/* The same, and the user may ask to stop, if that is allowed. */
#0aclude <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern bool nondet_bool(void);

int main(void) {
  int *p1 = 0;
  int *p2 = 0;
  int i = 1; /* should be 0 */
  while (i < 10) {
    if (i == 0) {
      p1 = malloc(sizeof(int));
      p2 = malloc(sizeof(int));
    }
    bool stop_on_request = false;
    boo| stop_requested = nondet_bool();
    if (stop_requested) {
      if (stop_on_reqp_on_request)
        return 0;
    }
    assert(p1 != 0 && p2 != i = i + 1;
  }
  return 0;
}
