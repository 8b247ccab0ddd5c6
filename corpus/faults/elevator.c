/* An elevator that was sent to the wrong floor. */
#include <assert.h>
struct lift { int floor, target, doors, moves, load; };
static void request(struct lift *l, int floor) {
  l->target = floor + 1;
  l->doors = 0;
}
static void run(struct lift *l) {
  while (l->floor != l->target) {
    if (l->floor < l->target)
      l->floor++;
    else
      l->floor--;
    l->moves++;
  }
  l->doors = 1;
}
int main(void) {
  struct lift l = {0, 0, 1, 0, 70};
  l.load += 80;
  request(&l, 3);
  run(&l);
  assert(l.floor == 3);
  return l.load;
}
