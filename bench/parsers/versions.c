/* musl's strverscmp: turned round, the answer has the other sign. */
#ifndef N
#define N 4
#endif
#include "bytes.h"
#define strverscmp compare
#include "strverscmp.c"
#undef strverscmp
#include <assert.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
  char a[N + 1], b[N + 1];
  free_bytes(a, N);
  free_bytes(b, N);
  a[N] = b[N] = 0;
  assert(sign(compare(a, b)) == -sign(compare(b, a)));
  return 0;
}
