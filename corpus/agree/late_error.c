// A loop of 200 rounds whose assertion fails in round 150.
#include <assert.h>

int main(void)
{
    int total = 0;
    for (int i = 0; i < 200; i++) {
        total += 2;
        assert(total != 302);
    }
    return 0;
}
