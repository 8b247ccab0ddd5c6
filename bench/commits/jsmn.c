/* What jsmn_parse makes of N bytes: its result, and where the tokens are. */
#include "bytes.h"
#include <string.h>
#include "jsmn.h"

int starts[4], ends[4];

int main(void) {
  char text[N + 1];
  free_bytes(text, N);
  text[N] = 0;
  jsmntok_t tokens[4];
  jsmn_parser parser;
  jsmn_init(&parser);
  int n = (int)jsmn_parse(&parser, text, strlen(text), tokens, 4);
  for (int i = 0; i < n; i++) {
    starts[i] = tokens[i].start;
    ends[i] = tokens[i].end;
  }
  return n;
}
