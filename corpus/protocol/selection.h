/* A selection that one program at a time owns. A request to own it that is older than the owner's own is refused. */
extern int __VERIFIER_nondet_int(void);

static int now = 1000;
static int owned_since;
static int last_event;

/* Waits for an event and gives its time. */
int next_event(void) {
    now += 1 + (__VERIFIER_nondet_int() & 15);
    last_event = now;
    return now;
}

/* The time of the event that came last. */
int event_time(void) { return last_event; }

int own_selection(int time) {
    if (time != 0 && time < owned_since) return 0;
    owned_since = time != 0 ? time : now;
    return 1;
}

void send_selection(int time) { (void)time; }

void disown_selection(int time) {
    if (time >= owned_since) owned_since = 0;
}

/* What the user does next, for programs that have a choice. */
static int choice(int n) { return (__VERIFIER_nondet_int() & 0xff) % n; }
