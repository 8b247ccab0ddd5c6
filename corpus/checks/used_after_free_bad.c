// property: valid-deref
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct job { int left; int id; };

int main(void)
{
    struct job *job = malloc(sizeof *job);
    if (!job)
        return 1;
    job->left = __VERIFIER_nondet_int();
    job->id = 7;
    int id = job->id;
    if (job->left == 0) {
        free(job);
        return job->id;
    }
    free(job);
    return 0;
}
