/* jsmn: N bytes into eight tokens, each within the text. */
#ifndef N
#define N 6
#endif
#include "bytes.h"
#include "jsmn.h"
#include <assert.h>

int main(void) {
  char text[N];
  free_bytes(text, N);
  jsmntok_t tokens[8];
  jsmn_parser parser;
  jsmn_init(&parser);
  int n = jsmn_parse(&parser, text, N, tokens, 8);
  for (int i = 0; i < n; i++)
    assert(tokens[i].start >= 0 && tokens[i].end <= N);
  return 0;
}
