/* The numbers of Fibonacci, from a wrong start. */
#include <assert.h>
int main(void) {
  int a = 0, even = 0, last = 0;
  int b = 2;
  for (int i = 0; i < 6; i++) {
    int t = a + b;
    a = b;
    b = t;
    if (t % 2 == 0)
      even++;
    last = t;
  }
  assert(a == 8);
  return even + last;
}
