/* A server as in Figure 1 of "Mining Specifications" (POPL 2002): it answers until somebody wants it to stop. */
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    char buffer[255];
    int so = socket(AF_INET, SOCK_STREAM, 0);
    if (so < 0) return 1;
    if (bind(so, (struct sockaddr *)&address, sizeof address) < 0 || listen(so, 5) < 0) {
        close(so);
        return 1;
    }
    while (1) {
        int client = accept(so, NULL, NULL);
        if (client < 0) break;
        do {
            ssize_t n = read(client, buffer, sizeof buffer);
            if (n <= 0) break;
            if (buffer[0] == 'q') {
#ifdef FIXED
                close(client);
                close(so);
#endif
                return 0;
            }
            write(client, buffer, (size_t)n);
        } while (buffer[0] == '+');
        close(client);
    }
    close(so);
    return 0;
}
