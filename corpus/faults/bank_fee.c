/* An account; small withdrawals should be free. */
#include <assert.h>
struct account { int balance, fees, count; };
static void withdraw(struct account *a, int amount) {
  int fee = 2;
  if (amount > 100)
    fee = 5;
  a->balance -= amount + fee;
  a->fees += fee;
  a->count++;
}
int main(void) {
  struct account a = {1000, 0, 0};
  struct account b = {500, 0, 0};
  withdraw(&b, 200);
  withdraw(&a, 50);
  withdraw(&b, 300);
  assert(a.balance == 950);
  return b.balance + a.count;
}
