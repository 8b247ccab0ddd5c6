/* Trie over lower-case letters: insert, count, prefix listing in order, deletion of branches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct trie { struct trie *kid[26]; int count; };
static int nodes;
static struct trie *mk(void) { nodes++; return calloc(1, sizeof(struct trie)); }
static void insert(struct trie *t, const char *w) { for (; *w; w++) { struct trie **k = &t->kid[*w - 'a']; if (!*k) *k = mk(); t = *k; } t->count++; }
static struct trie *find(struct trie *t, const char *w) { for (; t && *w; w++) t = t->kid[*w - 'a']; return t; }
static void list(const struct trie *t, char *buf, int n)
{
    int i;
    if (t->count) printf("%.*s(%d) ", n, buf, t->count);
    for (i = 0; i < 26; i++) if (t->kid[i]) { buf[n] = 'a' + i; list(t->kid[i], buf, n + 1); }
}
static int del(struct trie **t, const char *w)
{
    int i, empty = 1;
    if (!*t) return 0;
    if (*w) { if (!del(&(*t)->kid[*w - 'a'], w + 1)) return 0; }
    else if (!(*t)->count) return 0;
    else (*t)->count = 0;
    for (i = 0; i < 26; i++) if ((*t)->kid[i]) empty = 0;
    if (empty && !(*t)->count) { free(*t); *t = NULL; nodes--; }
    return 1;
}
static void drop(struct trie *t) { int i; if (!t) return; for (i = 0; i < 26; i++) drop(t->kid[i]); free(t); nodes--; }

int main(void)
{
    static const char *const w[] = { "car", "card", "care", "cat", "dog", "do", "car", "done", "zebra" };
    struct trie *root = mk(), *p;
    char buf[32] = "ca";
    unsigned i;
    for (i = 0; i < 9; i++) insert(root, w[i]);
    list(root, (char[32]){ 0 }, 0); printf("%d\n", nodes);
    p = find(root, "ca"); list(p, buf, 2); printf("\n");
    printf("%d %d %d\n", find(root, "care")->count, find(root, "ca")->count, find(root, "cow") == NULL);
    printf("%d ", del(&root, "car")); printf("%d ", del(&root, "zebra")); printf("%d ", del(&root, "do")); printf("%d\n", del(&root, "x"));
    list(root, buf, 0); printf("%d\n", nodes);
    drop(root);
    return nodes;
}
