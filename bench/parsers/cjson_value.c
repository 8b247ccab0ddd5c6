/* cJSON: any value of N bytes is read without a fault. */
#ifndef N
#define N 5
#endif
#include "bytes.h"
#include "cJSON.c"

int main(void) {
  char text[N];
  free_bytes(text, N);
  cJSON_Delete(cJSON_ParseWithLength(text, N));
  return 0;
}
