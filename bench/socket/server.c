/* The program of Figure 1 of "Mining Specifications": a server that echoes what it reads.
 *
 *   server PORT_FILE CONNECTIONS [early]
 *
 * It writes its port to a file and ends after a number of connections. A connection ends with a
 * message that ends in `.`. With `early` a message that ends in `!` makes it return at once, as in
 * line 14 of the figure: neither the connection nor the listening socket is closed. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int serve(const char *port_file, int connections, int may_return_early) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(s, (struct sockaddr *)&address, length) != 0) return 1;
    listen(s, 5);
    getsockname(s, (struct sockaddr *)&address, &length);
    FILE *out = fopen(port_file, "w");
    if (!out) return 1;
    fprintf(out, "%d\n", ntohs(address.sin_port));
    fclose(out);
    while (connections-- > 0) {
        char buffer[255];
        ssize_t size;
        int ns = accept(s, (struct sockaddr *)&address, &length);
        if (ns < 0) break;
        do {
            size = read(ns, buffer, sizeof buffer);
            if (size <= 0) break;
            if (write(ns, buffer, (size_t)size) != size) break;
            if (may_return_early && buffer[size - 1] == '!') return 0;
        } while (buffer[size - 1] != '.');
        close(ns);
    }
    close(s);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    return serve(argv[1], atoi(argv[2]), argc > 3);
}
