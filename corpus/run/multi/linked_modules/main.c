/* Three files linked by name: shared globals, static names that clash, a header's declarations. */
#include <stdio.h>
#include "counter.h"

static int state = 100;
int shared = 1;

int main(void)
{
    struct counter c = counter_make("main");
    int i;
    for (i = 0; i < 3; i++) counter_add(&c, i + state);
    printf("%s %d %d\n", c.name, c.total, shared);
    printf("%d %d\n", log_lines(), helper_state());
    log_line("end");
    return total_calls;
}
