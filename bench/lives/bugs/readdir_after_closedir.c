/* Goes on reading a folder that was closed. */
#include <dirent.h>
#include <stddef.h>

int main(void) {
    DIR *folder = opendir("/");
    if (folder == NULL) return 1;
    int n = 0;
    for (int i = 0; i < 2; i++) n += readdir(folder) != NULL;
#ifndef FIXED
    closedir(folder);
    n += readdir(folder) != NULL; /* BUG */
#else
    n += readdir(folder) != NULL;
    closedir(folder);
#endif
    return n == 0;
}
