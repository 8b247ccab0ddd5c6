/* hiredis' string2ll: what is read has the sign of the text. */
#ifndef N
#define N 21
#endif
#include "bytes.h"
#include "read.c"

int main(void) {
  char text[N];
  long long value;
  free_bytes(text, N);
  if (string2ll(text, N, &value) == REDIS_OK)
    assert((value < 0) == (text[0] == '-'));
  return 0;
}
