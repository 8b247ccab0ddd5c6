/* A brainfuck interpreter with precomputed jumps, running a few programs. */
#include <stdio.h>
#include <string.h>

static long run(const char *src, const char *in)
{
    unsigned char tape[300] = { 0 }, *p = tape + 100;
    int jump[512], stack[64], sp = 0, i, n = (int)strlen(src);
    long steps = 0;
    for (i = 0; i < n; i++)
        if (src[i] == '[') stack[sp++] = i;
        else if (src[i] == ']') { int j = stack[--sp]; jump[i] = j; jump[j] = i; }
    for (i = 0; i < n; i++, steps++)
        switch (src[i]) {
        case '>': p++; break;
        case '<': p--; break;
        case '+': ++*p; break;
        case '-': --*p; break;
        case '.': putchar(*p); break;
        case ',': *p = *in ? *in++ : 0; break;
        case '[': if (!*p) i = jump[i]; break;
        case ']': if (*p) i = jump[i]; break;
        default: steps--;
        }
    return steps;
}

int main(void)
{
    printf("%ld\n", run("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.", ""));
    printf("%ld\n", run(",[.,] echo", "copied text\n"));
    printf("%ld\n", run(",[>,]<[.<]", "desrever"));
    printf("\n%ld\n", run("+++[>+++++[>+++++>+++<<-]<-]>>>--<.>. nested loops ", ""));
    printf("%ld\n", run("-[>+<-]>[-<+>>+<]<[->+<]", ""));
    return 0;
}
