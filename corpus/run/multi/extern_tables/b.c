/* Part of extern_tables: the definitions. */
typedef int op(int, int);
struct pt { int x, y; };
struct pt origin = { 30, 40 };
static int add(int a, int b) { return a + b; }
static int mod(int a, int b) { return a % b; }
static int shl(int a, int b) { return a << b; }
op *const table[] = { add, mod, shl };
const int table_len = sizeof table / sizeof *table;
const char names[][4] = { "add", "mod", "shl" };
extern int common;
int weird(int (*f)(int), int x) { common += x; origin.y--; return f(f(x)); }
