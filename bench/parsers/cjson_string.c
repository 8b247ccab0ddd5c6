/* cJSON: a string of N bytes, the first of them a quotation mark. */
#ifndef N
#define N 6
#endif
#include "bytes.h"
#include "cJSON.c"

int main(void) {
  unsigned char text[N];
  free_bytes(text, N);
  text[0] = '"';
  parse_buffer buffer = {text, N, 0, 0, {internal_malloc, internal_free, internal_realloc}};
  cJSON item = {0};
  if (parse_string(&item, &buffer))
    free(item.valuestring);
  return 0;
}
