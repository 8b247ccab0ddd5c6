/* Reverses a word, starting one place too far to the left. */
#include <assert.h>
#include <string.h>
int main(void) {
  char word[6] = "hello";
  int n = (int)strlen(word), swaps = 0, vowels = 0;
  for (int k = 0; k < n; k++)
    if (word[k] == 'e' || word[k] == 'o')
      vowels++;
  int i = 0;
  int j = n - 2;
  while (i < j) {
    char t = word[i];
    word[i] = word[j];
    word[j] = t;
    i++;
    j--;
    swaps++;
  }
  assert(word[0] == 'o');
  return vowels + swaps;
}
