/* A cleanup that closes what was closed before. */
#include <fcntl.h>
#include <unistd.h>

static int fill(int fd) {
    int failed = write(fd, "full", 4) != 4;
    close(fd);
    return failed;
}

int main(void) {
    int fd = open("filled.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0) return 1;
    int failed = fill(fd);
#ifndef FIXED
    close(fd); /* BUG */
#endif
    unlink("filled.txt");
    return failed;
}
