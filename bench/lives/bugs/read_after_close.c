/* Reads the head of a file, closes it, and wants the rest. */
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char head[4], rest[100];
    int fd = open("/etc/passwd", O_RDONLY);
    if (fd < 0) return 1;
    ssize_t n = read(fd, head, sizeof head);
#ifdef FIXED
    ssize_t more = read(fd, rest, sizeof rest);
    close(fd);
#else
    close(fd);
    ssize_t more = read(fd, rest, sizeof rest); /* BUG */
#endif
    return n != 4 && more < 0;
}
