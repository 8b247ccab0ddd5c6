/* Every fourth hundredth year is a leap year. */
#include <assert.h>
int main(void) {
  int year = 2000, day = 0, leap = 0;
  int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year % 400 == 0)
    leap = 0;
  else if (year % 100 == 0)
    leap = 0;
  else if (year % 4 == 0)
    leap = 1;
  for (int m = 0; m < 12; m++) {
    day += days[m];
    if (m == 1)
      day += leap;
  }
  assert(day == 366);
  return 0;
}
