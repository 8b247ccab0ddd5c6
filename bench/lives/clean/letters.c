/* Counts letters: a directory, streams, a table that grows. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    FILE *out = fopen("letters.txt", "w");
    if (!out) return 1;
    fwrite("abracadabra\n", 1, 12, out);
    fflush(out);
    fclose(out);
    size_t room = 2, used = 0;
    char *letters = malloc(room);
    FILE *in = fopen("letters.txt", "r");
    if (!in) return 1;
    int c;
    while ((c = fgetc(in)) != EOF) {
        if (used + 1 >= room) letters = realloc(letters, room *= 2);
        letters[used++] = (char)c;
        letters[used] = 0;
    }
    rewind(in);
    fclose(in);
    size_t length = strlen(letters);
    memset(letters, 0, room);
    free(letters);
    DIR *here = opendir(".");
    if (!here) return 1;
    int files = 0;
    while (readdir(here)) files++;
    closedir(here);
    unlink("letters.txt");
    return length != 12 || files == 0;
}
