/* The wrong function is registered. */
#include <assert.h>
static int data, closed, calls;
static void on_data(int v) { data = v; calls++; }
static void on_close(int v) { closed = v; calls++; }
int main(void) {
  void (*handler)(int) = on_close;
  int events = 0, bytes = 0;
  for (int i = 0; i < 2; i++) {
    events++;
    bytes += 100;
  }
  handler(5);
  assert(data == 5);
  return events + bytes + closed;
}
