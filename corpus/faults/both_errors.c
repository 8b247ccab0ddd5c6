/* Both outputs are wrong: no single assignment of the trace is enough. */
#include <assert.h>
int main(void) {
  int err[2], ok = 0, round = 0;
  for (int i = 0; i < 2; i++) {
    err[i] = 1;
    round++;
  }
  if (round == 2)
    ok++;
  assert(err[0] == 0 && err[1] == 0);
  return ok;
}
