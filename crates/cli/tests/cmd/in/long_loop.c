extern void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
  int x = 0, n = __VERIFIER_nondet_int();
  while (x < n) {
    if (x > 1000000)
      break;
    x++;
  }
  if (x < 0)
    __VERIFIER_error();
  return 0;
}
