/* A reverse Polish calculator reading commands from standard input, with variables and errors. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long st[16]; static int sp, errors; static long var[26];
static void push(long x) { if (sp == 16) { puts("stack full"); errors++; } else st[sp++] = x; }
static long pop(void) { if (!sp) { puts("stack empty"); errors++; return 0; } return st[--sp]; }

int main(void)
{
    char line[80], *t; int n = 0;
    while (fgets(line, sizeof line, stdin)) {
        n++;
        if (line[0] == '#') continue;
        for (t = strtok(line, " \t\n"); t; t = strtok(NULL, " \t\n")) {
            long a, b;
            if (isdigit((unsigned char)*t) || (*t == '-' && isdigit((unsigned char)t[1]))) push(strtol(t, NULL, 0));
            else if (*t == '=' && islower((unsigned char)t[1])) var[t[1] - 'a'] = pop();
            else if (islower((unsigned char)*t) && !t[1]) push(var[*t - 'a']);
            else if (!strcmp(t, "dup")) { a = pop(); push(a); push(a); }
            else if (!strcmp(t, "swap")) { b = pop(); a = pop(); push(b); push(a); }
            else if (!strcmp(t, ".")) printf("%d: %ld\n", n, pop());
            else if (t[1] || !strchr("+-*/%^", *t)) { printf("%d: what is '%s'?\n", n, t); errors++; }
            else {
                b = pop(); a = pop();
                switch (*t) {
                case '+': push(a + b); break;
                case '-': push(a - b); break;
                case '*': push(a * b); break;
                case '^': for (push(1); b-- > 0;) push(pop() * a); break;
                default: if (!b) { puts("division by zero"); errors++; push(0); } else push(*t == '/' ? a / b : a % b);
                }
            }
        }
    }
    printf("left %d errors %d lines %d\n", sp, errors, n);
    return errors;
}
