# The same as matmul.c.
N = 260


def main():
    a = [[(i * 7 + j * 3) % 101 for j in range(N)] for i in range(N)]
    b = [[(i * 5 + j * 11) % 103 for j in range(N)] for i in range(N)]
    c = [[0] * N for _ in range(N)]
    for i in range(N):
        for j in range(N):
            s = 0
            for k in range(N):
                s += a[i][k] * b[k][j]
            c[i][j] = s
    total = 0
    for i in range(N):
        for j in range(N):
            total = (total * 31 + c[i][j]) & 0xFFFFFFFF
    print(total)


main()
