/* Brackets are counted; a reset is missing. */
#include <assert.h>
int main(void) {
  const char *text = "(()())";
  int depth = 1, deepest = 0, pairs = 0;
  for (int i = 0; text[i]; i++) {
    if (text[i] == '(') {
      depth++;
      if (depth > deepest)
        deepest = depth;
    } else {
      depth--;
      pairs++;
    }
  }
  assert(depth == 0);
  return deepest + pairs;
}
