/* A server and its client, on threads of one process. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;

static void *client(void *unused) {
    (void)unused;
    char buffer[100];
    int so = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(so, (struct sockaddr *)&address, sizeof address) == 0) {
        send(so, "hello", 5, 0);
        shutdown(so, SHUT_WR);
        while (recv(so, buffer, sizeof buffer, 0) > 0) continue;
    }
    close(so);
    return 0;
}

int main(void) {
    socklen_t length = sizeof address;
    int so = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(so, (struct sockaddr *)&address, sizeof address) || listen(so, 5)) return 1;
    getsockname(so, (struct sockaddr *)&address, &length);
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        char buffer[100];
        ssize_t n;
        if (pthread_create(&thread, 0, client, 0)) return 1;
        int connection = accept(so, 0, 0);
        while ((n = recv(connection, buffer, sizeof buffer, 0)) > 0)
            send(connection, buffer, (size_t)n, 0);
        close(connection);
        pthread_join(thread, 0);
    }
    close(so);
    return 0;
}
