/* puts, putchar, fputs, fputc, putc, fprintf, fwrite, printf returning; stderr kept apart. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int r;
    puts("puts adds a newline");
    fputs("fputs does not", stdout); putchar('\n');
    r = putchar('A'); r += fputc('B', stdout); r += putc('C', stdout); printf(" %d\n", r);
    fprintf(stdout, "fprintf %d %s\n", 5, "ok");
    fprintf(stderr, "this goes to standard error\n");
    fputs("and this too\n", stderr);
    r = (int)fwrite("fwrite\n12345", 1, 7, stdout); printf("%d\n", r);
    r = (int)fwrite((int[]){ 0x0a434241 }, sizeof(int), 1, stdout); printf("%d\n", r);
    fflush(stdout);
    r = putchar(0x141); printf(" %d\n", r);
    printf("%d %d\n", puts("x") >= 0, fputs("", stdout) >= 0);
    fflush(NULL);
    printf("no newline at the end");
    return EXIT_FAILURE;
}
