typedef int T; T T;
int f(T, x) { return sizeof(T[x]) ?: ({ x; }); }
int (*(*g[3])(void))[2] = { [0 ... 1] = 0, };