/* A running sum over a window that is too wide. */
#include <assert.h>
int main(void) {
  int a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int window = 4;
  int sum = 0, most = 0, all = 0;
  for (int i = 0; i < 8; i++) {
    all += a[i];
    sum += a[i];
    if (i >= window)
      sum -= a[i - window];
    if (sum > most)
      most = sum;
  }
  assert(most == 21);
  return all;
}
