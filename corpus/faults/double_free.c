/* Two names for one block. */
#include <stdlib.h>
int main(void) {
  char *a = malloc(8);
  char *b = a;
  int used = 0;
  a[0] = 'x';
  used++;
  b[1] = 'y';
  used++;
  free(a);
  free(b);
  return used;
}
