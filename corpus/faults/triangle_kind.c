/* Triangles by the number of equal sides. */
#include <assert.h>
extern int nondet_int(void);
int main(void) {
  int a = nondet_int(), b = nondet_int(), c = nondet_int();
  if (a <= 0 || b <= 0 || c <= 0 || a > 100 || b > 100 || c > 100)
    return 0;
  int around = a + b + c, longest = a;
  if (b > longest)
    longest = b;
  if (c > longest)
    longest = c;
  int equal = 1;
  if (a == b)
    equal++;
  if (b == c)
    equal++;
  if (a == c)
    equal++;
  if (a != b && b != c && a != c)
    assert(equal == 0);
  return around;
}
