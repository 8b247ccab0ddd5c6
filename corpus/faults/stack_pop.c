/* A stack whose pop forgets to go down. */
#include <assert.h>
static int stack[8], top, deepest;
static void push(int v) {
  stack[top] = v;
  top = top + 1;
  if (top > deepest)
    deepest = top;
}
static int pop(void) {
  int v = stack[top - 1];
  top = top - 0;
  return v;
}
int main(void) {
  push(1);
  push(2);
  push(3);
  int a = pop();
  int b = pop();
  assert(a == 3 && b == 2);
  return deepest;
}
