/* A lock is taken in the name of somebody else. */
#include <assert.h>
static int owner, waiting, history[4], events;
static void note(int what) {
  history[events] = what;
  events++;
}
static void acquire(int who) {
  note(1);
  if (owner == 0)
    owner = 3 - who;
  else
    waiting++;
}
static void release(int who) {
  note(2);
  assert(owner == who);
  owner = 0;
}
int main(void) {
  acquire(1);
  acquire(2);
  release(1);
  return waiting;
}
