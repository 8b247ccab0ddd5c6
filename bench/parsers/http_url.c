/* http-parser: a URL of N bytes; its parts lie in it. */
#ifndef N
#define N 10
#endif
#include "bytes.h"
#include "http_parser.c"

int main(void) {
  char text[N];
  free_bytes(text, N);
  struct http_parser_url url;
  http_parser_url_init(&url);
  if (http_parser_parse_url(text, N, 0, &url) == 0)
    for (int i = 0; i < UF_MAX; i++)
      if (url.field_set & (1 << i))
        assert(url.field_data[i].off + url.field_data[i].len <= N);
  return 0;
}
