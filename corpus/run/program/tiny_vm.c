/* A stack virtual machine with calls, frames and memory, running factorial, fibonacci and a loop. */
#include <stdio.h>
#include <stdlib.h>

enum op { HALT, PUSH, ADD, SUB, MUL, LT, JMP, JZ, LOAD, STORE, CALL, RET, ARG, OUT, POP };
struct vm { int st[256], sp, fp, pc, steps; int mem[16]; };
#define P(x) (vm->st[vm->sp++] = (x))
#define O() (vm->st[--vm->sp])

static int run(struct vm *vm, const int *c)
{
    for (;;) {
        int a, b;
        if (++vm->steps > 20000) { puts("step limit"); exit(3); }
        switch ((enum op)c[vm->pc++]) {
        case HALT: return vm->sp;
        case PUSH: P(c[vm->pc++]); break;
        case ADD: b = O(); a = O(); P(a + b); break;
        case SUB: b = O(); a = O(); P(a - b); break;
        case MUL: b = O(); a = O(); P(a * b); break;
        case LT: b = O(); a = O(); P(a < b); break;
        case JMP: vm->pc = c[vm->pc]; break;
        case JZ: a = c[vm->pc++]; if (!O()) vm->pc = a; break;
        case LOAD: P(vm->mem[c[vm->pc++]]); break;
        case STORE: vm->mem[c[vm->pc++]] = O(); break;
        case CALL: a = c[vm->pc++]; P(vm->pc); P(vm->fp); vm->fp = vm->sp; vm->pc = a; break;
        case RET: a = O(); vm->sp = vm->fp; vm->fp = O(); vm->pc = O(); --vm->sp; P(a); break;
        case ARG: P(vm->st[vm->fp - 3]); break;
        case OUT: printf("%d ", O()); break;
        case POP: --vm->sp; break;
        default: printf("bad opcode\n"); return -1;
        }
    }
}

int main(void)
{
    static const int fact[] = { PUSH, 10, CALL, 6, OUT, HALT, ARG, PUSH, 2, LT, JZ, 15, PUSH, 1, RET, ARG, ARG, PUSH, 1, SUB, CALL, 6, MUL, RET };
    static const int fib[] = { PUSH, 12, CALL, 6, OUT, HALT, ARG, PUSH, 2, LT, JZ, 14, ARG, RET, ARG, PUSH, 1, SUB, CALL, 6, ARG, PUSH, 2, SUB, CALL, 6, ADD, RET };
    static const int loop[] = { PUSH, 0, STORE, 0, LOAD, 0, PUSH, 5, LT, JZ, 23, LOAD, 0, OUT, LOAD, 0, PUSH, 1, ADD, STORE, 0, JMP, 4, HALT, 99 };
    const int *progs[] = { fact, fib, loop };
    int i, r;
    for (i = 0; i < 3; i++) { struct vm vm = { { 0 } }; r = run(&vm, progs[i]); printf("| %d steps %d\n", r, vm.steps); }
    { struct vm vm = { .pc = 24 }; r = run(&vm, loop); printf("%d\n", r); }
    { static const int forever[] = { JMP, 0 }; struct vm vm = { .pc = 0 }; run(&vm, forever); }
    return 0;
}
