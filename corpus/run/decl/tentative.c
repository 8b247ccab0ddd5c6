/* Tentative definitions, extern before and after, static functions declared late, arrays completed later. */
#include <stdio.h>

int a;
int a;
int a = 5;
extern int b;
static int c;
static int c;
extern int arr[];
int tent[];
extern int e;
int e = 6;
struct later;
extern struct later obj;
static int helper(int);
int (*fp)(int) = helper;
int *pb = &b;

static int use(void) { extern int a; extern int arr[4]; return a + b + c + arr[3]; }

int main(void)
{
    printf("%d %d %d %d\n", a, b, c, e);
    printf("%d %d\n", use(), tent[0]);
    c = 3; b++; (*pb)++; tent[0] = 9;
    printf("%d %d %d\n", use(), tent[0], fp(4));
    {
        extern int only_here;
        int a = 100;
        { extern int a; printf("%d\n", a); }
        printf("%d %d\n", a, only_here);
    }
    return helper(2);
}

int b = 10;
int arr[] = { 1, 2, 3, 4 };
int only_here = 55;
struct later { int x; };
struct later obj = { 1 };
static int helper(int x) { return x * x + obj.x; }
