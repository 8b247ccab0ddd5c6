/* A child asks over a pair of sockets, its parent answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char buffer[50];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        send(ends[1], "a", 1, 0);
        send(ends[1], "b", 1, 0);
        shutdown(ends[1], SHUT_WR);
        while (recv(ends[1], buffer, sizeof buffer, 0) > 0) continue;
        close(ends[1]);
        return 0;
    }
    close(ends[1]);
    size_t n = 0;
    ssize_t got;
    while ((got = recv(ends[0], buffer, sizeof buffer, 0)) > 0) n += (size_t)got;
    send(ends[0], "thanks", 6, 0);
    shutdown(ends[0], SHUT_WR);
    close(ends[0]);
    waitpid(child, 0, 0);
    char *copy = malloc(n + 1);
    memset(copy, 'x', n);
    copy[n] = 0;
    puts(copy);
    free(copy);
    return n != 2;
}
