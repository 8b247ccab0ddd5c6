/* One exchange of a sort loses a value. */
#include <assert.h>
int main(void) {
  int a[4] = {3, 1, 4, 2};
  int compared = 0, exchanged = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j + 1 < 4 - i; j++) {
      compared++;
      if (a[j] > a[j + 1]) {
        int t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = a[j];
        exchanged++;
      }
    }
  int sum = a[0] + a[1] + a[2] + a[3];
  assert(sum == 10);
  return compared + exchanged;
}
