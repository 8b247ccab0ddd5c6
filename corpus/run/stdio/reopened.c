/* Standard output that goes to a file, whatever writes to it. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    FILE *before = stdout, *file;
    char line[100];
    printf("on standard output\n");
    fflush(stdout);
    if (freopen("reopened.txt", "w", stdout) != before)
        return 1;
    printf("printf %d\n", 1);
    fprintf(before, "fprintf %d\n", 2);
    puts("puts");
    putchar('p');
    fputs("utchar\n", stdout);
    fwrite("fwrite\n", 1, 7, stdout);
    fprintf(stderr, "%ld\n", ftell(stdout));
    fflush(stdout);
    if (write(1, "write\n", 6) != 6)
        return 2;
    if (freopen("reopened.txt", "a", stdout) != before)
        return 3;
    printf("appended\n");
    fclose(stdout);
    file = fopen("reopened.txt", "r");
    if (!file)
        return 4;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '!';
        fputs(line, stderr);
    }
    fputc('\n', stderr);
    fclose(file);
    return remove("reopened.txt");
}
