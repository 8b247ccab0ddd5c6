/* Parts of paths, owners, positioned reading and writing. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void parts(const char *path)
{
    char one[64], two[64];
    strcpy(one, path);
    strcpy(two, path);
    printf("%s: %s", path, dirname(one));
    printf(" + %s\n", basename(two));
}

int main(void)
{
    const char *paths[] = {"/usr/lib", "/usr/", "usr", "/", "//", "///a", ".", "..", "a/b/", "a//b//", "", "/a"};
    char text[64] = "";
    char *found;
    int file;
    size_t i;
    for (i = 0; i < sizeof paths / sizeof *paths; i++)
        parts(paths[i]);
    printf("%s %s\n", dirname(NULL), basename(NULL));
    mkdir("paths_folder", 0777);
    file = open("paths_folder/file", O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (write(file, "0123456789", 10) != 10 || pwrite(file, "XY", 2, 3) != 2)
        return 1;
    printf("%ld\n", (long)pread(file, text, 4, 2));
    printf("%s %ld\n", text, (long)lseek(file, 0, SEEK_CUR));
    printf("%ld\n", (long)pread(-1, text, 4, 2));
    printf("%d\n", errno == EBADF);
    printf("%d\n", fchown(file, getuid(), getgid()));
    printf("%d\n", chown("paths_folder/none", getuid(), getgid()));
    printf("%d\n", errno == ENOENT);
    close(file);
    printf("%ld\n", (long)readlink("paths_folder/file", text, sizeof text));
    printf("%d\n", errno == EINVAL);
    printf("%ld\n", (long)readlink("paths_folder/none", text, sizeof text));
    printf("%d\n", errno == ENOENT);
    found = realpath("./paths_folder/../paths_folder//file", NULL);
    printf("%s\n", found ? strstr(found, "/paths_folder/file") : "none");
    free(found);
    printf("%d\n", realpath("paths_folder/none", NULL) == NULL);
    printf("%d\n", errno == ENOENT);
    printf("%ld\n", pathconf("/", _PC_NAME_MAX));
    remove("paths_folder/file");
    return rmdir("paths_folder");
}
