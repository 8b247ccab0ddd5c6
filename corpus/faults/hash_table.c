/* Open addressing goes to the wrong next slot. */
#include <assert.h>
static int table[8], probes, stored;
static void insert(int key) {
  int slot = key % 8;
  while (table[slot] != 0) {
    slot = (slot + 2) % 8;
    probes++;
  }
  table[slot] = key;
  stored++;
}
int main(void) {
  insert(3);
  insert(11);
  insert(5);
  assert(table[4] == 11);
  return probes + stored;
}
