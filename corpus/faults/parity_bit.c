/* The parity of a byte. */
#include <assert.h>
int main(void) {
  unsigned byte = 0xB5, ones = 0, highest = 0;
  int p = 1;
  for (int i = 0; i < 8; i++) {
    unsigned bit = (byte >> i) & 1;
    p ^= bit;
    ones += bit;
    if (bit)
      highest = i;
  }
  assert(p == (ones & 1));
  return highest;
}
