/* Part of recursive_pair. */
extern int depth;
int is_even(unsigned);
static inline unsigned dec(unsigned n) { depth += 10; return n + ~0u; }
int is_odd(unsigned n) { return n ? is_even(dec(n)) : 0; }
