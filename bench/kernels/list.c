/* Builds, reverses, sums and frees a linked list, again and again. */
#include <stdio.h>
#include <stdlib.h>

#define N 20000
#define ROUNDS 100

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    unsigned total = 0;
    int round;
    for (round = 0; round < ROUNDS; round++) {
        struct node *head = NULL, *reversed = NULL;
        int i;
        for (i = 0; i < N; i++) {
            struct node *n = malloc(sizeof *n);
            n->value = i ^ round;
            n->next = head;
            head = n;
        }
        while (head) {
            struct node *rest = head->next;
            head->next = reversed;
            reversed = head;
            head = rest;
        }
        while (reversed) {
            struct node *rest = reversed->next;
            total = total * 31 + (unsigned)reversed->value;
            free(reversed);
            reversed = rest;
        }
    }
    printf("%u\n", total);
    return 0;
}
