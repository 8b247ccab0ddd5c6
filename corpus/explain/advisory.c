// explain: --ignore threshold --ignore inhibit_biased_climb --ignore own_below_threat --ignore own_above_threat
/* Which way to go, up or down, when another aircraft comes near: a small advisory in the manner of
   collision avoidance systems. Both of two aircraft must not be told to climb. */
#include <assert.h>

extern int nondet_int(void);

enum intent { NO_INTENT, DO_NOT_CLIMB, DO_NOT_DESCEND };
enum advice { UNRESOLVED, UPWARD, DOWNWARD };

#define MIN_SEPARATION 300
#define MAX_DIFFERENCE 600
#define NOZ_CROSS 100

int high_confidence;
int own_altitude;
int own_rate;
int other_altitude;
int two_of_three_reports_valid;
int other_has_equipment;
int climb_inhibit;
int layer;
enum intent other_intent;
int up_separation;
int down_separation;

int threshold(void) {
    switch (layer) {
    case 0:
        return 400;
    case 1:
        return 500;
    case 2:
        return 640;
    default:
        return 740;
    }
}

int inhibit_biased_climb(void) {
    return climb_inhibit ? up_separation + NOZ_CROSS : up_separation;
}

int own_below_threat(void) {
    return own_altitude < other_altitude;
}

int own_above_threat(void) {
    return other_altitude < own_altitude;
}

int non_crossing_biased_climb(void) {
    int upward_preferred = inhibit_biased_climb() > down_separation;
    if (upward_preferred)
        return !own_below_threat() || (own_below_threat() && !(down_separation >= threshold()));
    return own_above_threat() && own_rate >= 0 && up_separation >= threshold();
}

int non_crossing_biased_descend(void) {
    int upward_preferred = inhibit_biased_climb() > down_separation;
    if (upward_preferred)
        return own_below_threat() && own_rate >= 0 && down_separation >= threshold();
    return !own_above_threat() || (own_above_threat() && up_separation >= threshold());
}

void advise_upward(void) {}
void advise_downward(void) {}
void advise_nothing(void) {}

enum advice resolve(void) {
    int enabled = high_confidence && own_rate <= 600 && own_altitude - other_altitude < MAX_DIFFERENCE;
    int equipped = other_has_equipment;
    int intent_not_known = two_of_three_reports_valid && other_intent == NO_INTENT;
    if (!enabled || !((equipped && intent_not_known) || !equipped)) {
        advise_nothing();
        return UNRESOLVED;
    }
    int need_upward = non_crossing_biased_climb() && own_below_threat();
    int need_downward = non_crossing_biased_descend() && own_above_threat();
    if (need_upward && need_downward) {
        advise_nothing();
        return UNRESOLVED;
    }
    if (need_upward) {
        advise_upward();
        return UPWARD;
    }
    if (need_downward) {
        advise_downward();
        return DOWNWARD;
    }
    advise_nothing();
    return UNRESOLVED;
}

int main(void) {
    high_confidence = nondet_int() & 1;
    own_altitude = nondet_int() & 4095;
    own_rate = nondet_int() & 1023;
    other_altitude = nondet_int() & 4095;
    two_of_three_reports_valid = nondet_int() & 1;
    other_has_equipment = nondet_int() & 1;
    climb_inhibit = nondet_int() & 1;
    layer = nondet_int() & 3;
    other_intent = NO_INTENT;
    up_separation = nondet_int() & 1023;
    down_separation = nondet_int() & 1023;
    enum advice advice = resolve();
    /* Nobody is told to climb where there is too little room. */
    if (advice == UPWARD)
        assert(up_separation >= MIN_SEPARATION);
    return 0;
}
