// Models of the SV-COMP functions that are neither inputs nor properties.

int __idiolect_env_int(const char *name);

// Runs are of one thread, which nothing interrupts.
void __VERIFIER_atomic_begin(void)
{
}

void __VERIFIER_atomic_end(void)
{
}

// Each byte of the block becomes an input.
void __VERIFIER_nondet_memory(void *block, unsigned long size)
{
    unsigned char *bytes = block;
    unsigned long i = 0;
    while (i < size) {
        bytes[i] = (unsigned char)__idiolect_env_int("__VERIFIER_nondet_memory");
        i++;
    }
}
