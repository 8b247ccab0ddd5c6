/* Looks at every file of a folder: directory streams and descriptors. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static long size_of(const char *name) {
    struct stat status;
    int fd = open(name, O_RDONLY);
    if (fd < 0) return 0;
    long size = fstat(fd, &status) == 0 ? (long)status.st_size : 0;
    close(fd);
    return size;
}

int main(void) {
    FILE *one = fopen("folder-one.txt", "w");
    if (!one) return 1;
    fputs("one\n", one);
    fclose(one);
    long sum = 0;
    for (int round = 0; round < 2; round++) {
        DIR *folder = opendir(".");
        if (!folder) return 1;
        struct dirent *entry;
        while ((entry = readdir(folder))) {
            char *name = malloc(strlen(entry->d_name) + 1);
            strcpy(name, entry->d_name);
            sum += size_of(name);
            free(name);
        }
        rewinddir(folder);
        closedir(folder);
    }
    DIR *none = opendir("no such folder");
    if (none) closedir(none);
    unlink("folder-one.txt");
    return sum == 0;
}
