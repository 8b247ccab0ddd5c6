/* A tree is no word: there is no invariant to be learned here. */
struct tree {
    int key;
    struct tree *left, *right;
};

int contains(struct tree *t, int key)
{
    while (t != 0 && t->key != key)
        t = key < t->key ? t->left : t->right;
    return t != 0;
}
