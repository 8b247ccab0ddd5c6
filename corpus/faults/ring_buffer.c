/* A ring buffer of four places whose head does not come around. */
#include <assert.h>
static int data[4];
static int head, tail, count, dropped;
static void put(int value) {
  if (count == 4) {
    dropped++;
    return;
  }
  data[head] = value;
  head = (head + 1) & 1;
  count++;
}
static int get(void) {
  int value = data[tail];
  tail = (tail + 1) % 4;
  count--;
  return value;
}
int main(void) {
  put(10);
  put(20);
  put(30);
  int first = get();
  assert(first == 10);
  return dropped;
}
