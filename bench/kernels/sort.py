# The same as sort.c.
N = 200000
M = 2000
seed = 12345


def next_number():
    global seed
    seed = (seed * 1103515245 + 12345) & 0xFFFFFFFF
    return seed >> 8 & 0xFFFFF


def sift(v, root, n):
    value = v[root]
    while True:
        child = 2 * root + 1
        if child >= n:
            break
        if child + 1 < n and v[child] < v[child + 1]:
            child += 1
        if value >= v[child]:
            break
        v[root] = v[child]
        root = child
    v[root] = value


def heap_sort(v, n):
    for i in range(n // 2 - 1, -1, -1):
        sift(v, i, n)
    for i in range(n - 1, 0, -1):
        v[0], v[i] = v[i], v[0]
        sift(v, 0, i)


def insertion_sort(v, n):
    for i in range(1, n):
        x = v[i]
        j = i - 1
        while j >= 0 and v[j] > x:
            v[j + 1] = v[j]
            j -= 1
        v[j + 1] = x


def main():
    a = [next_number() for _ in range(N)]
    b = [next_number() for _ in range(M)]
    heap_sort(a, N)
    insertion_sort(b, M)
    total = 0
    for x in a:
        total = (total * 31 + x) & 0xFFFFFFFF
    for x in b:
        total = (total * 31 + x) & 0xFFFFFFFF
    print(total)


main()
