/* Copies a file to another, by descriptors. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int copy(const char *from, const char *to) {
    char *buffer = malloc(512);
    int in = open(from, O_RDONLY);
    if (in < 0) {
        free(buffer);
        return -1;
    }
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0) {
        close(in);
        free(buffer);
        return -1;
    }
    ssize_t n;
    while ((n = read(in, buffer, 512)) > 0) write(out, buffer, (size_t)n);
    lseek(out, 0, SEEK_SET);
    close(out);
    close(in);
    free(buffer);
    return 0;
}

int main(void) {
    char name[] = "copy-XXXXXX";
    int made = mkstemp(name);
    if (made < 0) return 1;
    write(made, "some text\n", 10);
    int again = dup(made);
    write(again, "and more\n", 9);
    close(again);
    close(made);
    int bad = copy("no such file", "other") == 0;
    for (int i = 0; i < 3; i++) bad |= copy(name, "copied") != 0;
    unlink(name);
    unlink("copied");
    return bad;
}
