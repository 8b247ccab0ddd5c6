/* A division by a counter that was never set. */
int main(void) {
  int prices[3] = {10, 20, 30};
  int total = 0, dearest = 0;
  int items = 0;
  for (int i = 0; i < 3; i++) {
    total += prices[i];
    if (prices[i] > dearest)
      dearest = prices[i];
  }
  int mean = total / items;
  return mean + dearest;
}
