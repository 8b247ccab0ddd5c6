/* The server's side of a connection, after TCP: an input a line, an output a line, RESET begins
   anew. Learn it with
   idiolect learn --sul ./connection --alphabet listen,syn,ack,data,fin,close,rst */
#include <stdio.h>
#include <string.h>

enum state { CLOSED, LISTEN, SYN_RECEIVED, ESTABLISHED, CLOSE_WAIT, LAST_ACK };

static enum state state = CLOSED;

void reset(void) { state = CLOSED; }

const char *step(const char *in) {
    if (strcmp(in, "rst") == 0) {
        int open = state != CLOSED && state != LISTEN;
        if (open) state = LISTEN;
        return open ? "aborted" : "ignored";
    }
    switch (state) {
    case CLOSED:
        if (strcmp(in, "listen") == 0) { state = LISTEN; return "ok"; }
        return strcmp(in, "close") == 0 ? "error" : "RST";
    case LISTEN:
        if (strcmp(in, "syn") == 0) { state = SYN_RECEIVED; return "SYN+ACK"; }
        if (strcmp(in, "close") == 0) { state = CLOSED; return "ok"; }
        return strcmp(in, "listen") == 0 ? "error" : "RST";
    case SYN_RECEIVED:
        if (strcmp(in, "ack") == 0) { state = ESTABLISHED; return "connected"; }
        if (strcmp(in, "syn") == 0) return "SYN+ACK";
        return "ignored";
    case ESTABLISHED:
        if (strcmp(in, "data") == 0) return "ACK";
        if (strcmp(in, "fin") == 0) { state = CLOSE_WAIT; return "ACK"; }
        return "ignored";
    case CLOSE_WAIT:
        if (strcmp(in, "close") == 0) { state = LAST_ACK; return "FIN"; }
        return "ignored";
    case LAST_ACK:
        if (strcmp(in, "ack") == 0) { state = LISTEN; return "closed"; }
        return "ignored";
    }
    return "error";
}

int main(void) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strcmp(line, "RESET") == 0) {
            reset();
            continue;
        }
        puts(step(line));
        fflush(stdout);
    }
    return 0;
}
