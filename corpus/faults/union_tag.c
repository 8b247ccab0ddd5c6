/* A tagged value gets the wrong tag. */
#include <assert.h>
struct value { int tag; union { int i; char c[4]; } u; int uses; };
enum { INT = 1, TEXT = 2 };
static int read_int(struct value *v) {
  v->uses++;
  if (v->tag == INT)
    return v->u.i;
  return -1;
}
int main(void) {
  struct value v, w;
  w.tag = TEXT;
  w.uses = 0;
  w.u.c[0] = 'x';
  v.tag = TEXT;
  v.uses = 0;
  v.u.i = 7;
  int n = read_int(&v);
  int m = read_int(&w);
  assert(n == 7);
  return m;
}
