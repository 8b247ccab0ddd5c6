/* Counts the nodes of a list. */
#include <assert.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
static struct node *push(struct node *head, int value) {
  struct node *n = malloc(sizeof *n);
  n->next = head;
  n->value = value;
  return n;
}
int main(void) {
  struct node *head = 0;
  int total = 0;
  for (int i = 0; i < 3; i++) {
    head = push(head, i * 10);
    total += i * 10;
  }
  int n = 1;
  for (struct node *p = head; p; p = p->next)
    n++;
  assert(n == 3);
  return total;
}
