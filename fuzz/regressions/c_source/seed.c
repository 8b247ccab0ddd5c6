struct s { int a : 3; union { char c[4]; float f; }; } x = { .a = 1, { "ab" } };
int f(n, p) int n; char *p; { return n <= 1 ? *p : n * f(n - 1, p); }
int main() { static int t[3] = { [1] = 2 }; switch (f(3, x.c)) { case 1 ... 5: goto e; default: t[0]++; } e: return t[1]; }
