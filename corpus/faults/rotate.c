/* A rotation forgets the element that it has saved. */
#include <assert.h>
int main(void) {
  int a[3] = {1, 2, 3}, moves = 0, sum = 0;
  for (int i = 0; i < 3; i++)
    sum += a[i];
  int first = a[0];
  a[0] = a[1];
  moves++;
  a[1] = a[2];
  moves++;
  a[2] = a[0];
  moves++;
  assert(a[2] == 1);
  return first + moves + sum;
}
