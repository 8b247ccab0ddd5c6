/* A header with the wrong version. */
#include <assert.h>
struct header { unsigned version : 4, length : 4, ttl : 8; };
int main(void) {
  struct header h;
  int options = 0, words = 0;
  h.version = 6;
  h.length = 5;
  h.ttl = 64;
  words = h.length;
  if (words > 5)
    options = (words - 5) * 4;
  h.ttl = h.ttl - 1;
  assert(h.version == 4);
  return options;
}
