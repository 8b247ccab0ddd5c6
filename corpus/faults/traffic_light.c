/* A traffic light goes from green to yellow and not to red. */
#include <assert.h>
enum { RED, GREEN, YELLOW };
static int step(int state, int *changes) {
  int next = state;
  if (state == RED)
    next = GREEN;
  else if (state == GREEN)
    next = RED;
  else
    next = RED;
  (*changes)++;
  return next;
}
int main(void) {
  int state = RED, changes = 0, yellow = 0;
  int ticks[3] = {0, 0, 0};
  for (int t = 0; t < 3; t++) {
    ticks[state]++;
    state = step(state, &changes);
    if (state == YELLOW)
      yellow = 1;
  }
  assert(yellow);
  return changes + ticks[0];
}
