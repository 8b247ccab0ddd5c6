/* Words of a text are counted; the start of a word is kept wrong. */
#include <assert.h>
int main(void) {
  const char *text = "ab cd";
  int words = 0, letters = 0, start = 0;
  for (int i = 0; text[i]; i++) {
    if (text[i] == ' ') {
      words++;
      start = i;
    } else {
      letters++;
    }
  }
  words++;
  assert(text[start] == 'c');
  return words + letters;
}
