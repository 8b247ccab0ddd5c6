// explain: --events calls --event 'search_path.c:56 path[0] == 0' --event 'search_path.c:56 path[0] == 126'
/* Where a program looks for its libraries: each element of a search path is made absolute. An empty
   element is taken for the home folder's sign. */
#include <assert.h>
#include <string.h>

extern char nondet_char(void);

#define LENGTH 2
#define MOST 3

char home[] = "/h";
char origin[] = "/o";

char chain[MOST][8];
int n_chain;

void from_home(const char *rest) {
    strcpy(chain[n_chain], home);
    strcat(chain[n_chain], rest);
    n_chain++;
}

void from_origin(const char *rest) {
    strcpy(chain[n_chain], origin);
    strcat(chain[n_chain], rest);
    n_chain++;
}

void as_it_is(const char *path) {
    strcpy(chain[n_chain], path);
    n_chain++;
}

int is_absolute(const char *path) {
    return path[0] == '/';
}

/* An element of the path, or an end. */
void element(char *path) {
    int i = 0;
    while (i < LENGTH) {
        char c = nondet_char();
        if (c == 0)
            break;
        path[i++] = c;
    }
    path[i] = 0;
}

int main(void) {
    int n = nondet_char() & 1;
    for (int i = 0; i <= n; i++) {
        char path[LENGTH + 1];
        element(path);
        if (path[0] == '~')
            from_home(path + 1);
        else if (path[0] == '$')
            from_origin(path + 1);
        else
            as_it_is(path);
    }
    for (int i = 0; i < n_chain; i++)
        assert(is_absolute(chain[i]));
    return 0;
}
