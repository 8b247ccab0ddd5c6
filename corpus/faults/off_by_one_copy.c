/* Copies a message; the first byte is left out. */
#include <assert.h>
int main(void) {
  char from[8] = "packet";
  char to[8] = {0};
  int checksum = 0, length = 0;
  while (from[length]) {
    checksum = checksum * 31 + from[length];
    length++;
  }
  int i = 1;
  while (i < length) {
    to[i] = from[i];
    i++;
  }
  assert(to[0] == 'p');
  return checksum;
}
