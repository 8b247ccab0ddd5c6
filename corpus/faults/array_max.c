/* The largest element of an array; the search starts with a number that may be too large. */
#include <assert.h>
int main(void) {
  int a[6] = {-4, -9, -3, -7, -5, -8};
  int n = 6, visited = 0, sum = 0;
  int max = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i];
    visited++;
    if (a[i] > max)
      max = a[i];
  }
  int found = 0;
  for (int i = 0; i < n; i++)
    if (a[i] == max)
      found = 1;
  assert(found);
  return sum - visited;
}
