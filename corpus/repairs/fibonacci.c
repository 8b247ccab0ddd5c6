/* A Fibonacci number. */
#include <stdio.h>
#include <stdlib.h>

static int fibonacci(int n)
{
    int previous = 0;
    int current = 1;
    for (int i = 0; i < n; i++) {
        int next = previous + current;
        previous = current;
        current = next;
    }
    return current;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("%d\n", fibonacci(atoi(argv[1])));
    return 0;
}
