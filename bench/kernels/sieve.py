# The same as sieve.c.
N = 2000000
ROUNDS = 2


def main():
    composite = bytearray(N)
    count = 0
    for _ in range(ROUNDS):
        i = 0
        while i < N:
            composite[i] = 0
            i += 1
        count = 0
        i = 2
        while i < N:
            if not composite[i]:
                count += 1
                j = i + i
                while j < N:
                    composite[j] = 1
                    j += i
            i += 1
    print(count)


main()
