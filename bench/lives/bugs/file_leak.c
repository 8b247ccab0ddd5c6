/* Looks for a word in files; when it is found, the stream is forgotten. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int has(const char *name, const char *word) {
    char line[100];
    FILE *file = fopen(name, "r"); /* BUG */
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        if (strstr(line, word)) {
#ifdef FIXED
            fclose(file);
#endif
            return 1;
        }
    }
    fclose(file);
    return 0;
}

int main(void) {
    FILE *file = fopen("words.txt", "w");
    if (!file) return 1;
    fputs("apple\npear\n", file);
    fclose(file);
    int found = has("words.txt", "plum") + has("words.txt", "pear");
    unlink("words.txt");
    return found != 1;
}
