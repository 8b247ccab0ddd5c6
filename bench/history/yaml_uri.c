/* libyaml: a URI of fifteen escapes and N free bytes of ASCII. */
#ifndef N
#define N 6
#endif
#define YAML_VERSION_STRING "0"
#define YAML_VERSION_MAJOR 0
#define YAML_VERSION_MINOR 0
#define YAML_VERSION_PATCH 0
#include "bytes.h"
#include "api.c"
#include "reader.c"
#include "scanner.c"

#define ESCAPES 15

int main(void) {
  static yaml_parser_t parser;
  static unsigned char text[3 * ESCAPES + N + 8];
  for (int i = 0; i < ESCAPES; i++)
    memcpy(text + 3 * i, "%41", 3);
  free_bytes(text + 3 * ESCAPES, N);
  for (int i = 0; i < N; i++)
    if (text[3 * ESCAPES + i] >= 128)
      return 0;
  parser.buffer.start = parser.buffer.pointer = text;
  parser.buffer.last = parser.buffer.end = text + sizeof text;
  parser.unread = sizeof text;
  yaml_char_t *uri = 0;
  yaml_mark_t mark = {0, 0, 0};
  if (yaml_parser_scan_tag_uri(&parser, 0, NULL, mark, &uri))
    yaml_free(uri);
  return 0;
}
