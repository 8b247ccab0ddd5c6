/* Counts what a folder holds; a folder that is too large is left open. */
#include <dirent.h>
#include <stddef.h>

static int entries(const char *name, int most) {
    int n = 0;
    DIR *folder = opendir(name); /* BUG */
    if (folder == NULL) return -1;
    while (readdir(folder) != NULL)
        if (++n > most) {
#ifdef FIXED
            closedir(folder);
#endif
            return most;
        }
    closedir(folder);
    return n;
}

int main(void) {
    return entries(".", 100000) < 2 || entries("/", 2) != 2;
}
