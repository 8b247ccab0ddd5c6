/* The credit is not taken back after a sale. */
#include <assert.h>
extern int nondet_int(void);
int main(void) {
  int credit = 0, sold = 0, coins = 0, price = 3;
  for (int i = 0; i < 6; i++) {
    int coin = nondet_int();
    if (coin != 1 && coin != 2)
      return 0;
    credit = credit + coin;
    coins++;
    if (credit >= price) {
      sold++;
      credit = credit - 1;
    }
  }
  assert(credit < price);
  return coins + sold;
}
