/* The job with the highest priority is looked for from the second one. */
#include <assert.h>
struct job { int priority, length; };
int main(void) {
  struct job jobs[4] = {{9, 4}, {2, 7}, {5, 1}, {3, 3}};
  int work = 0, shortest = jobs[0].length;
  for (int i = 0; i < 4; i++) {
    work += jobs[i].length;
    if (jobs[i].length < shortest)
      shortest = jobs[i].length;
  }
  int best = 1;
  for (int i = 2; i < 4; i++)
    if (jobs[i].priority > jobs[best].priority)
      best = i;
  assert(best == 0);
  return work + shortest;
}
