/* Two of three sensors fail; one of them alone does not matter. */
#include <assert.h>
int main(void) {
  int s[3], votes = 0, log = 0;
  for (int i = 0; i < 3; i++) {
    s[i] = 0;
    log++;
  }
  if (s[0] == 0 && s[1] == 0 || s[1] == 0 && s[2] == 0 || s[0] == 0 && s[2] == 0)
    votes = 1;
  assert(!(s[0] == 0 && s[1] == 0 || s[1] == 0 && s[2] == 0 || s[0] == 0 && s[2] == 0));
  return votes + log;
}
