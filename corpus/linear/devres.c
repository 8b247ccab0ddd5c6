/* A table of resources of a device: the slot of one of them. */
int devres_find(int table[], int size, int resource)
{
    int slot;
    for (slot = 0; slot < size; slot++) {
        if (table[slot] == resource)
            break;
    }
    return slot;
}
