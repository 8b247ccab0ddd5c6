/* Two ends of a pair of sockets in one process. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int failed = 0;
    for (int round = 0; round < 3; round++) {
        int ends[2];
        char *buffer = calloc(1, 100);
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
        send(ends[0], "question", 8, 0);
        send(ends[0], "s", 1, 0);
        shutdown(ends[0], SHUT_WR);
        while (recv(ends[1], buffer, 99, 0) > 0) continue;
        send(ends[1], "answer", 6, 0);
        shutdown(ends[1], SHUT_WR);
        failed |= recv(ends[0], buffer, 99, 0) != 6;
        close(ends[0]);
        close(ends[1]);
        free(buffer);
    }
    return failed;
}
