/* The average of four numbers is taken of five. */
#include <assert.h>
int main(void) {
  int a[4] = {4, 8, 6, 2};
  int sum = 0, smallest = a[0], largest = a[0];
  for (int i = 0; i < 4; i++) {
    sum += a[i];
    if (a[i] < smallest)
      smallest = a[i];
    if (a[i] > largest)
      largest = a[i];
  }
  int n = 5;
  int average = sum / n;
  int spread = largest - smallest;
  assert(average == 5);
  return spread;
}
