// explain: --ignore pick
/* Processes in three queues by priority. Upgrading a process that runs puts it into a queue, too,
   and then it is in two places. */
#include <assert.h>

extern int nondet_int(void);

#define LEVELS 3
#define NONE (-1)

int queued[LEVELS];
int running = NONE;
int blocked;

int pick(void) {
    for (int level = LEVELS - 1; level >= 0; level--)
        if (queued[level] > 0)
            return level;
    return NONE;
}

void new_job(int level) {
    queued[level]++;
}

void schedule(void) {
    int level = pick();
    if (level == NONE)
        return;
    queued[level]--;
    running = level;
}

void finish(void) {
    running = NONE;
}

void block(void) {
    blocked++;
    running = NONE;
}

void unblock(void) {
    blocked--;
    queued[0]++;
}

void upgrade(void) {
    if (running != NONE && running + 1 < LEVELS) {
        /* The bug: the process stays where it is as well. */
        queued[running + 1]++;
    }
}

int total(void) {
    int sum = blocked + (running != NONE);
    for (int level = 0; level < LEVELS; level++)
        sum += queued[level];
    return sum;
}

int main(void) {
    int jobs = 0;
    for (;;) {
        int command = nondet_int();
        if (command == 0 && jobs < 2) {
            new_job(0);
            jobs++;
        } else if (command == 1 && running == NONE) {
            schedule();
        } else if (command == 2 && running != NONE) {
            finish();
            jobs--;
        } else if (command == 3 && running != NONE) {
            block();
        } else if (command == 4 && blocked > 0) {
            unblock();
        } else if (command == 5) {
            upgrade();
        } else {
            break;
        }
    }
    assert(total() == jobs);
    return 0;
}
