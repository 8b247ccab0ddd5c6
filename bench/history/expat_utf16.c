/* expat: N bytes of UTF-16 become at most M bytes of UTF-8. */
#ifndef N
#define N 6
#endif
#ifndef M
#define M 8
#endif
#include "bytes.h"
#include "xmltok.c"
#include <assert.h>

int main(void) {
  char text[N], out[M];
  free_bytes(text, N);
  const char *from = text;
  char *to = out;
  little2_toUtf8(0, &from, text + N, &to, out + M);
  assert(from <= text + N && to <= out + M);
  return 0;
}
