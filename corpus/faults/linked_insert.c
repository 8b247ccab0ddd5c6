/* Inserting into a list loses its rest. */
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int v; };
int main(void) {
  struct node c = {0, 3}, b = {&c, 2}, a = {&b, 1};
  struct node *n = malloc(sizeof *n);
  int before = 0, after = 0, inserted = 0;
  for (struct node *p = &a; p; p = p->next)
    before++;
  n->v = 9;
  n->next = 0;
  a.next = n;
  inserted++;
  for (struct node *p = &a; p; p = p->next)
    after++;
  assert(after == before + 1);
  return inserted;
}
