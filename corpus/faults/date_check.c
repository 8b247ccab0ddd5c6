/* Days of a month. */
#include <assert.h>
extern int nondet_int(void);
static int valid(int day, int month) {
  int limit = 31;
  if (month == 4 || month == 6 || month == 9 || month == 11)
    limit = 30;
  if (month == 2)
    limit = 30;
  return day >= 1 && day <= limit;
}
int main(void) {
  int day = nondet_int(), month = nondet_int(), asked = 0, season = 0;
  if (month < 1 || month > 12)
    return 0;
  asked++;
  season = month / 3;
  int ok = valid(day, month);
  if (month == 2 && day == 30)
    assert(!ok);
  return asked + season;
}
