/* A small cooperative simulation as translated SystemC: states, events, scheduler phases. */
#include <assert.h>
#include <stdio.h>

static int m_pc = 0, t1_pc = 0, t2_pc = 0, m_st, t1_st, t2_st, E_M = 2, E_1 = 2, E_2 = 2, token, local, rounds;

static void master(void);
static int is_master_triggered(void) { int r; if (m_pc == 1) { if (E_M == 1) { r = 1; goto ret; } else { } } else { } r = 0; ret: return r; }
static int is_t1_triggered(void) { int r; if (t1_pc == 1) { if (E_1 == 1) { r = 1; goto ret; } } r = 0; ret: return r; }
static int is_t2_triggered(void) { int r; if (t2_pc == 1) { if (E_2 == 1) { r = 1; goto ret; } } r = 0; ret: return r; }
static void activate(void)
{
    int tmp, tmp_0, tmp_1;
    tmp = is_master_triggered(); if (tmp) { m_st = 0; } else { }
    tmp_0 = is_t1_triggered(); if (tmp_0) { t1_st = 0; } else { }
    tmp_1 = is_t2_triggered(); if (tmp_1) { t2_st = 0; } else { }
}
static void transmit1(void) { if (t1_pc == 0) goto ENTRY; else if (t1_pc == 1) goto W; ENTRY: ; while (1) { t1_pc = 1; t1_st = 2; goto return_label; W: token += 1; E_2 = 1; activate(); E_2 = 2; } return_label: return; }
static void transmit2(void) { if (t2_pc == 0) goto ENTRY; else if (t2_pc == 1) goto W; ENTRY: ; while (1) { t2_pc = 1; t2_st = 2; goto return_label; W: token += 1; E_M = 1; activate(); E_M = 2; } return_label: return; }
static void master(void)
{
    if (m_pc == 0) goto M_ENTRY; else if (m_pc == 1) goto M_WAIT;
M_ENTRY: ;
    while (1) {
        token = rounds * 10; local = token;
        E_1 = 1; activate(); E_1 = 2;
        m_pc = 1; m_st = 2;
        goto return_label;
M_WAIT:
        if (token != local + 2) { assert(0); }
        printf("round %d token %d\n", rounds, token);
        if (++rounds == 6) { m_pc = 2; m_st = 2; goto return_label; }
    }
return_label: return;
}
static int exists_runnable(void) { if (m_st == 0) return 1; if (t1_st == 0) return 1; if (t2_st == 0) return 1; return 0; }

int main(void)
{
    int steps = 0;
    while (exists_runnable()) {
        if (t1_st == 0) { t1_st = 1; transmit1(); steps++; }
        if (t2_st == 0) { t2_st = 1; transmit2(); steps++; }
        if (m_st == 0) { m_st = 1; master(); steps++; }
    }
    printf("%d steps, states %d %d %d\n", steps, m_st, t1_st, t2_st);
    return rounds;
}
