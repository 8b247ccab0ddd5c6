/* utf8.h: of a valid text of N bytes, every code point is below 0x110000 and the last ends with it. */
#ifndef N
#define N 12
#endif
#include "bytes.h"
#include "utf8.h"
#include <assert.h>

int main(void) {
  utf8_int8_t text[N + 1];
  free_bytes(text, N);
  text[N] = 0;
  if (utf8valid(text) == 0) {
    const utf8_int8_t *p = text;
    utf8_int32_t c;
    while (*p)
      p = utf8codepoint(p, &c);
    assert(p <= text + N);
  }
  return 0;
}
