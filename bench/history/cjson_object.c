/* cJSON: the beginning of an object and N free bytes. */
#ifndef N
#define N 3
#endif
#include "bytes.h"
#include "cJSON.c"

int main(void) {
  char text[5 + N] = "{\"\":1";
  free_bytes(text + 5, N);
  cJSON_Delete(cJSON_ParseWithLength(text, sizeof text));
  return 0;
}
