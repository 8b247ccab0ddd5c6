/* cJSON: one or two \uXXXX of N bytes as UTF-8. */
#ifndef N
#define N 12
#endif
#include "bytes.h"
#include "cJSON.c"
#include <assert.h>

int main(void) {
  unsigned char text[N], out[4];
  free_bytes(text, N);
  text[0] = '\\';
  text[1] = 'u';
  unsigned char *to = out;
  unsigned char used = utf16_literal_to_utf8(text, text + N, &to);
  assert(used == 0 || used == 6 || used == 12);
  assert(to >= out && to <= out + 4);
  return 0;
}
