/* http-parser before it had `http_parser_url_init`: a URL of N bytes. */
#ifndef N
#define N 6
#endif
#include "bytes.h"
#include "http_parser.c"

int main(void) {
  char text[N];
  free_bytes(text, N);
  struct http_parser_url url;
  http_parser_parse_url(text, N, 0, &url);
  return 0;
}
