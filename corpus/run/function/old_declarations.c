/* Unusual declarations: inside-out declarators, storage class order, typedef of everything, local prototypes. */
#include <stdio.h>

int typedef myint;
static unsigned long int const long big = 1;
long unsigned int odd = 2;
short signed sh = -3;
int const *volatile cvp;
typedef int pair[2], *ptr, (*fp)(ptr), fn(myint);
typedef struct node node;
struct node { node *next; pair p; } first = { .p = { 4, 5 } }, *pfirst = &first;
enum e { A = 3 } ev = A;
fn square;
int (*arr_of_fp[2])(int), (*(*ptr_to_arr)[2])(int) = &arr_of_fp;
char *(*getters(int k))[2];
static char *names[2][2] = { { "a", "b" }, { "c", "d" } };

char *(*getters(int k))[2] { return &names[k]; }
int square(myint x) { return x * x; }
static int first_of(ptr p) { return *p; }

int main(void)
{
    int local(int), x = 3, *px = &x, ax[2] = { 8, 9 }, (*pa)[2] = &ax;
    extern int later_var;
    fp f = first_of;
    typedef char node;
    node n = 'n';
    struct { int a; } anon = { 11 }, *pan = &anon;
    cvp = px;
    arr_of_fp[0] = square; arr_of_fp[1] = local;
    printf("%llu %lu %d %d\n", (unsigned long long)big, odd, sh, *cvp);
    printf("%d %d\n", pfirst->p[1], ev);
    printf("%d %d\n", (*ptr_to_arr)[0](5), (*ptr_to_arr)[1](5));
    printf("%s %s\n", (*getters(0))[1], (*getters(1))[0]);
    printf("%d %d %d\n", f(ax), (*pa)[1], pan->a);
    printf("%d %zu\n", later_var, sizeof(node));
    { int myint = 2; myint *= 3; printf("%d %c\n", myint, n); }
    { myint (x) = 4, (*(y)) = &x; printf("%d\n", *y); }
    return 0;
}
int later_var = 77;
int local(int x) { return x + 1000; }
