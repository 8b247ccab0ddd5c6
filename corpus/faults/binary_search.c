/* A binary search that never looks at the last element. */
#include <assert.h>
int main(void) {
  int a[7] = {2, 3, 5, 7, 11, 13, 17};
  int key = 17, steps = 0, found = -1;
  int low = 0;
  int high = 6;
  while (low < high) {
    int mid = low + (high - low) / 2;
    steps++;
    if (a[mid] == key) {
      found = mid;
      break;
    }
    if (a[mid] < key)
      low = mid + 1;
    else
      high = mid;
  }
  assert(found == 6);
  return steps;
}
