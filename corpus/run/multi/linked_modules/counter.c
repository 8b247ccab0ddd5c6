/* Part of linked_modules: the counter, with its own static state. */
#include "counter.h"

static int state = 7;
int total_calls;

static int helper(int x) { return x + state++; }
struct counter counter_make(const char *name) { struct counter c = { name, 0 }; log_line("make"); return c; }
void counter_add(struct counter *c, int n) { total_calls++; shared *= 2; c->total += helper(n); log_line("add"); }
int helper_state(void) { return state; }
