/* Says that it is done, and has one more word. */
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    char answer[10];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    send(ends[0], "one", 3, 0);
#ifdef FIXED
    send(ends[0], "two", 3, 0);
#endif
    shutdown(ends[0], SHUT_WR);
#ifndef FIXED
    send(ends[0], "two", 3, 0); /* BUG */
#endif
    while (recv(ends[1], answer, sizeof answer, 0) > 0) continue;
    close(ends[1]);
    close(ends[0]);
    return 0;
}
