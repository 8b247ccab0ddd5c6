/* cJSON: a number of N bytes. */
#ifndef N
#define N 5
#endif
#include "bytes.h"
#include "cJSON.c"

int main(void) {
  unsigned char text[N];
  free_bytes(text, N);
  parse_buffer buffer = {text, N, 0, 0, {internal_malloc, internal_free, internal_realloc}};
  cJSON item = {0};
  parse_number(&item, &buffer);
  return buffer.offset > N;
}
