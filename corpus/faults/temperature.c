/* Degrees of Celsius as Fahrenheit. */
#include <assert.h>
static int convert(int celsius) {
  int offset = 23;
  int scaled = celsius * 9;
  scaled = scaled / 5;
  return scaled + offset;
}
int main(void) {
  int readings[3] = {0, 37, 100}, sum = 0, warm = 0;
  for (int i = 0; i < 3; i++) {
    sum += readings[i];
    if (readings[i] > 20)
      warm++;
  }
  int boiling = convert(100);
  assert(boiling == 212);
  return sum + warm;
}
