/* A checksum that starts with the wrong number. */
#include <assert.h>
extern unsigned char nondet_uchar(void);
int main(void) {
  unsigned char packet[4];
  int zeros = 0, largest = 0;
  for (int i = 0; i < 4; i++) {
    packet[i] = nondet_uchar();
    if (packet[i] == 0)
      zeros++;
    if (packet[i] > largest)
      largest = packet[i];
  }
  unsigned sum = 1;
  for (int i = 0; i < 4; i++)
    sum += packet[i];
  if (zeros == 4)
    assert(sum == 0);
  return largest;
}
