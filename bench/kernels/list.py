# The same as list.c.
N = 20000
ROUNDS = 100


class Node:
    __slots__ = ("value", "next")

    def __init__(self):
        self.value = 0
        self.next = None


def main():
    total = 0
    for r in range(ROUNDS):
        head = None
        reversed_ = None
        for i in range(N):
            n = Node()
            n.value = i ^ r
            n.next = head
            head = n
        while head is not None:
            rest = head.next
            head.next = reversed_
            reversed_ = head
            head = rest
        while reversed_ is not None:
            rest = reversed_.next
            total = (total * 31 + reversed_.value) & 0xFFFFFFFF
            reversed_ = rest
    print(total)


main()
