/* Clearing a flag clears another one. */
#include <assert.h>
enum { OPEN = 1, DIRTY = 2, LOCKED = 4 };
int main(void) {
  unsigned flags = 0, changes = 0, written = 0;
  flags |= OPEN;
  changes++;
  flags |= DIRTY;
  changes++;
  if (flags & DIRTY) {
    written += 512;
    flags &= DIRTY;
    changes++;
  }
  assert(flags & OPEN);
  return changes + written;
}
