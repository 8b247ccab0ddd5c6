/* jsmn when it came as two files: N bytes into four tokens. */
#ifndef N
#define N 4
#endif
#include "bytes.h"
#include "jsmn.c"
#include <assert.h>

int main(void) {
  char text[N];
  free_bytes(text, N);
  jsmntok_t tokens[4];
  jsmn_parser parser;
  jsmn_init(&parser);
  jsmn_parse(&parser, text, N, tokens, 4);
  assert(parser.pos <= N);
  return 0;
}
