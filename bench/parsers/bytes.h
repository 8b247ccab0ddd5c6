/* Free bytes for the harnesses of this folder. `N` is how many; each harness has a default. */
extern unsigned char __VERIFIER_nondet_uchar(void);

static void free_bytes(void *to, unsigned n) {
  unsigned char *p = to;
  for (unsigned i = 0; i < n; i++)
    p[i] = __VERIFIER_nondet_uchar();
}
