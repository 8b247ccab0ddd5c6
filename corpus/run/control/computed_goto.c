/* GNU labels as values: a threaded interpreter with a table of label addresses. */
#include <stdio.h>

enum { PUSH, ADD, MUL, DUP, DEC, JNZ, PRINT, HALT };

static int run(const int *code)
{
    static void *const table[] = { &&push, &&add, &&mul, &&dup, &&dec, &&jnz, &&print, &&halt };
    int stack[32], *sp = stack, steps = 0;
    const int *pc = code;
#define NEXT do { steps++; goto *table[*pc++]; } while (0)
    NEXT;
push: *sp++ = *pc++; NEXT;
add: sp--; sp[-1] += sp[0]; NEXT;
mul: sp--; sp[-1] *= sp[0]; NEXT;
dup: sp[0] = sp[-1]; sp++; NEXT;
dec: sp[-1]--; NEXT;
jnz: if (sp[-1]) pc += *pc; else { pc++; sp--; } NEXT;
print: printf("%d ", sp[-1]); NEXT;
halt:
    printf("steps %d\n", steps);
    return *--sp;
}

int main(void)
{
    int a[] = { PUSH, 6, PUSH, 7, MUL, PRINT, HALT };
    int b[] = { PUSH, 5, PRINT, DEC, JNZ, -3, PUSH, 1, HALT };
    int i = 0;
    void *where = &&first;
    printf("%d\n", run(a));
    printf("%d\n", run(b));
again:
    goto *where;
first: printf("first "); where = &&second; goto again;
second: printf("second "); where = ++i < 3 ? &&second : &&last; goto again;
last: printf("last\n");
    return 0;
}
