/* _Bool: conversion to 0 or 1 from integers, floats and pointers; arithmetic and increments. */
#include <stdbool.h>
#include <stdio.h>

static _Bool pass(_Bool b) { return b; }
static bool low(int x) { return x & 0x100; }

int main(void)
{
    _Bool b = 2, c = 0.25, d = -0.0, e = (void *)0, f = "s", g;
    int n = 0;
    bool arr[4] = { 7, 0, -1, 256 };
    printf("%d %d %d %d %d\n", b, c, d, e, f);
    printf("%d %d %d\n", pass(256), pass(0), low(0x100));
    printf("%d %d %d %d\n", arr[0], arr[1], arr[2], arr[3]);
    printf("%d %d %d\n", (_Bool)0x100, (char)0x100, (_Bool)(char)0x100);
    g = 1; g++; printf("%d ", g);
    g += 5; printf("%d ", g);
    g--; printf("%d ", g);
    g--; printf("%d ", g);
    g = g - 1; printf("%d ", g);
    g *= 0; printf("%d ", g);
    g |= 4; printf("%d ", g);
    g ^= 1; printf("%d ", g);
    g = ~0; printf("%d ", g);
    g <<= 3; printf("%d\n", g);
    n += b; n += true; n -= false;
    printf("%d %zu %d %d\n", n, sizeof(_Bool), true + true, !b + !d);
    printf("%d %d\n", b == 2, b == (_Bool)2);
    return low(0xff) + pass(3) * 3;
}
