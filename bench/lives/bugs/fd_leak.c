/* Reads numbers from files; a file without a number is not closed. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int number(const char *name) {
    char text[16] = "";
    int fd = open(name, O_RDONLY); /* BUG */
    if (fd < 0) return -1;
    ssize_t n = read(fd, text, sizeof text - 1);
#ifdef FIXED
    if (n <= 0) close(fd);
#endif
    if (n <= 0) return -1;
    close(fd);
    return atoi(text);
}

int main(void) {
    int fd = open("number.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    write(fd, "12", 2);
    close(fd);
    int sum = number("number.txt") + number("number.txt") + number("/dev/null");
    unlink("number.txt");
    return sum != 23;
}
