/* Writes lines to a stream and reads them back into blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    FILE *out = fopen("lines.txt", "w");
    if (!out) return 1;
    for (int i = 0; i < 5; i++) fprintf(out, "line %d\n", i);
    fclose(out);
    FILE *in = fopen("lines.txt", "r");
    if (!in) return 1;
    char buffer[100];
    char *lines[10];
    int n = 0;
    while (n < 10 && fgets(buffer, sizeof buffer, in)) {
        lines[n] = malloc(strlen(buffer) + 1);
        strcpy(lines[n], buffer);
        n++;
    }
    int failed = ferror(in);
    fclose(in);
    size_t total = 0;
    for (int i = 0; i < n; i++) total += strlen(lines[i]);
    while (n) free(lines[--n]);
    FILE *none = fopen("no/such/file", "r");
    if (none) fclose(none);
    unlink("lines.txt");
    return failed || total != 35;
}
