/* Calls every function of savanna.h with what it must refuse: NULL, misaligned and foreign handles, handles that have been
 * freed, wrong sizes, small buffers, bad texts and numbers. Each call has to fail with the status that stands beside it,
 * say something about it, and write nothing else. Prints how many were refused, and which should have been.
 */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "savanna.h"

static SavannaError error;
static int refused, wrong;

/* Holds eight bytes that are no mark of any handle; no handle can lie at its second byte. */
static const union {
    uint64_t number;
    char bytes[sizeof(uint64_t) * 4];
} foreign = {42};

static void refuse(SavannaStatus status, const char *expected, const char *call, int line)
{
    if (strcmp(savanna_status_text(status), expected) == 0 && error.status == status && error.message[0] != '\0') {
        refused++;
    } else {
        wrong++;
        printf("line %d: %s: '%s', '%s'\n", line, call, savanna_status_text(status), error.message);
    }
    memset(&error, '?', sizeof error);
}

static void accept(SavannaStatus status, const char *call, int line)
{
    if (status != SAVANNA_STATUS_OK || error.status != SAVANNA_STATUS_OK || error.message[0] != '\0') {
        wrong++;
        printf("line %d: %s: %s\n", line, call, error.message);
    }
}

static void hold(int truth, const char *what, int line)
{
    if (!truth) {
        wrong++;
        printf("line %d: not so: %s\n", line, what);
    }
}

#define REFUSE(expected, call) refuse(call, expected, #call, __LINE__)
#define ACCEPT(call) accept(call, #call, __LINE__)
#define HOLD(truth) hold(truth, #truth, __LINE__)

/* A call that takes a handle as `it`, with handles that are none of its kind; `other` is one of another kind. */
#define BAD_HANDLES(kind, other, call)                          \
    do {                                                        \
        const kind *it = NULL;                                  \
        REFUSE("null pointer", call);                           \
        it = (const kind *)(const void *)(foreign.bytes + 1);   \
        REFUSE("misaligned pointer", call);                     \
        it = (const kind *)(const void *)&foreign;              \
        REFUSE("bad handle", call);                             \
        it = (const kind *)(const void *)(other);               \
        REFUSE("bad handle", call);                             \
    } while (0)

/* Freeing by a variable that cannot be, or holds what cannot be freed; a second time has nothing to free. */
#define BAD_FREE(kind, other, call, made)                               \
    do {                                                                \
        kind *held = (kind *)(void *)(other), **variable = NULL;        \
        REFUSE("null pointer", call);                                   \
        variable = (kind **)(void *)((char *)(void *)&held + 1);        \
        REFUSE("misaligned pointer", call);                             \
        variable = &held;                                               \
        REFUSE("bad handle", call);                                     \
        HOLD(held == (kind *)(void *)(other));                          \
        held = (kind *)(void *)(uintptr_t)&foreign;                     \
        REFUSE("bad handle", call);                                     \
        held = (kind *)(void *)((char *)(uintptr_t)&foreign + 1);       \
        REFUSE("misaligned pointer", call);                             \
        variable = &(made);                                             \
        ACCEPT(call);                                                   \
        HOLD((made) == NULL);                                           \
        ACCEPT(call);                                                   \
    } while (0)

/* What takes a buffer, a capacity and a count, and writes more than one item. */
#define BAD_BUFFERS(type, call)                     \
    do {                                            \
        type buffer[512], *into = NULL;             \
        size_t capacity = 0, count = 0, *n = NULL;  \
        REFUSE("null pointer", call);               \
        n = (size_t *)(void *)((char *)&count + 1); \
        REFUSE("misaligned pointer", call);         \
        n = &count;                                 \
        ACCEPT(call);                               \
        HOLD(count > 1 && count < 512);             \
        capacity = count;                           \
        REFUSE("null pointer", call);               \
        memset(buffer, '?', sizeof buffer);         \
        into = buffer;                              \
        capacity = count - 1;                       \
        count = 0;                                  \
        REFUSE("too small", call);                  \
        HOLD(count == capacity + 1);                \
        HOLD(*(char *)buffer == '?');               \
        capacity = 0;                               \
        REFUSE("too small", call);                  \
        capacity = count;                           \
        ACCEPT(call);                               \
        HOLD(*(char *)(buffer + count) == '?');     \
    } while (0)

/* What reads a text of some bytes. */
#define BAD_TEXTS(call)                                                                 \
    do {                                                                                \
        const char *text = NULL;                                                        \
        size_t length = 0;                                                              \
        REFUSE("null pointer", call);                                                   \
        length = 1;                                                                     \
        REFUSE("null pointer", call);                                                   \
        text = "";                                                                      \
        length = 0;                                                                     \
        REFUSE("bad text", call);                                                       \
        text = "\xff\xfe";                                                              \
        length = 2;                                                                     \
        REFUSE("bad text", call);                                                       \
        text = "2p\0";                                                                  \
        length = 3;                                                                     \
        REFUSE("bad text", call);                                                       \
        text = "a text that says nothing of what was to be read, and goes on for long"; \
        length = strlen(text);                                                          \
        REFUSE("bad text", call);                                                       \
        length = SIZE_MAX;                                                              \
        REFUSE("bad text", call);                                                       \
    } while (0)

/* What writes one value to `out`. */
#define BAD_PLACES(type, call)                                  \
    do {                                                        \
        type value;                                             \
        type *out = NULL;                                       \
        REFUSE("null pointer", call);                           \
        out = (type *)(void *)((char *)(void *)&value + 1);     \
        REFUSE("misaligned pointer", call);                     \
    } while (0)

/* What writes one struct of some size to `out`. */
#define BAD_SIZES(type, call)                   \
    do {                                        \
        type value, *out = &value;              \
        size_t size = 0;                        \
        memset(&value, '?', sizeof value);      \
        REFUSE("bad size", call);               \
        size = sizeof value - 1;                \
        REFUSE("bad size", call);               \
        size = sizeof value + 1;                \
        REFUSE("bad size", call);               \
        HOLD(*(char *)out == '?');              \
        size = sizeof value;                    \
        out = NULL;                             \
        REFUSE("null pointer", call);           \
        out = (type *)(void *)((char *)&value + 1); \
        REFUSE("misaligned pointer", call);     \
    } while (0)

static SavannaRules *rules;
static SavannaPosition *position;
static SavannaView *view, *other_view;
static SavannaAnalysis *analysis;

static void make_handles(void)
{
    ACCEPT(savanna_rules_parse("3p,mice", 7, &rules, &error));
    ACCEPT(savanna_position_deal(rules, 7, &position, &error));
    ACCEPT(savanna_position_view(position, 0, &view, &error));
    ACCEPT(savanna_position_view(position, 1, &other_view, &error));
    ACCEPT(savanna_view_analyse(view, 100, 0, 7, 1, &analysis, &error));
}

static void abuse_moves(void)
{
    static const int32_t ids[] = {-1, SAVANNA_ACTIONS, INT32_MIN, INT32_MAX};
    char buffer[64];
    size_t count;

    for (int i = 0; i < 4; i++) {
        REFUSE("out of range", savanna_move_text(ids[i], buffer, sizeof buffer, &count, &error));
    }
    BAD_BUFFERS(char, savanna_move_text(199, into, capacity, n, &error));
    BAD_TEXTS(savanna_move_parse(text, length, &(int32_t){0}, &error));
    BAD_PLACES(int32_t, savanna_move_parse("zebra c4", 8, out, &error));
}

/* Options of which one is out of range. */
static SavannaRulesOptions but(size_t offset, int32_t value)
{
    SavannaRulesOptions options;
    ACCEPT(savanna_rules_default_options(&options, sizeof options, &error));
    memcpy((char *)&options + offset, &value, sizeof value);
    return options;
}

static void abuse_rules(void)
{
    static const int32_t values[] = {-2, 101, INT32_MIN, INT32_MAX};
    SavannaRules *made = NULL;
    SavannaRulesOptions good = but(0, 2);

    for (size_t offset = 0; offset < sizeof good; offset += sizeof(int32_t)) {
        for (int i = 0; i < 4; i++) {
            SavannaRulesOptions bad = but(offset, values[i]);
            REFUSE("bad rules", savanna_rules_new(&bad, sizeof bad, &made, &error));
        }
    }
    HOLD(made == NULL);
    BAD_SIZES(SavannaRulesOptions, savanna_rules_default_options(out, size, &error));
    BAD_SIZES(SavannaRulesOptions, savanna_rules_new(out, size, &made, &error));
    BAD_PLACES(SavannaRules *, savanna_rules_new(&good, sizeof good, out, &error));
    BAD_SIZES(SavannaRulesOptions, savanna_rules_options(rules, out, size, &error));
    BAD_HANDLES(SavannaRules, position, savanna_rules_options(it, &good, sizeof good, &error));
    BAD_TEXTS(savanna_rules_parse(text, length, &made, &error));
    BAD_PLACES(SavannaRules *, savanna_rules_parse("2p", 2, out, &error));
    BAD_BUFFERS(char, savanna_rules_text(rules, into, capacity, n, &error));
    BAD_HANDLES(SavannaRules, view, savanna_rules_text(it, NULL, 0, &(size_t){0}, &error));
    HOLD(made == NULL);
}

static void abuse_positions(void)
{
    static const int32_t seats[] = {-1, 3, INT32_MIN, INT32_MAX}, ids[] = {-1, SAVANNA_ACTIONS, INT32_MIN, INT32_MAX};
    SavannaPosition *made = NULL;
    SavannaView *seen = NULL;
    SavannaRules *held = NULL;
    SavannaState state;
    uint8_t legal[80];
    size_t count;
    int32_t mv = -1;

    BAD_HANDLES(SavannaRules, analysis, savanna_position_deal(it, 7, &made, &error));
    BAD_PLACES(SavannaPosition *, savanna_position_deal(rules, 7, out, &error));
    BAD_TEXTS(savanna_position_parse(text, length, &made, &error));
    BAD_PLACES(SavannaPosition *, savanna_position_parse("2p", 2, out, &error));
    BAD_BUFFERS(char, savanna_position_text(position, into, capacity, n, &error));
    BAD_HANDLES(SavannaPosition, rules, savanna_position_text(it, NULL, 0, &count, &error));
    BAD_HANDLES(SavannaPosition, view, savanna_position_rules(it, &held, &error));
    BAD_PLACES(SavannaRules *, savanna_position_rules(position, out, &error));
    BAD_HANDLES(SavannaPosition, view, savanna_position_state(it, &state, sizeof state, &error));
    BAD_SIZES(SavannaState, savanna_position_state(position, out, size, &error));
    BAD_HANDLES(SavannaPosition, view, savanna_position_legal(it, legal, sizeof legal, &count, &error));
    BAD_BUFFERS(uint8_t, savanna_position_legal(position, into, capacity, n, &error));

    ACCEPT(savanna_position_legal(position, legal, sizeof legal, &count, &error));
    for (int32_t action = 0; action < SAVANNA_ACTIONS; action++) {
        if (memchr(legal, action, count) == NULL) {
            REFUSE("illegal move", savanna_position_play(position, action, &made, &error));
        } else {
            mv = action;
        }
    }
    BAD_HANDLES(SavannaPosition, view, savanna_position_play(it, mv, &made, &error));
    BAD_PLACES(SavannaPosition *, savanna_position_play(position, mv, out, &error));
    BAD_HANDLES(SavannaPosition, view, savanna_position_view(it, 0, &seen, &error));
    BAD_PLACES(SavannaView *, savanna_position_view(position, 0, out, &error));
    for (int i = 0; i < 4; i++) {
        REFUSE("out of range", savanna_position_play(position, ids[i], &made, &error));
        REFUSE("out of range", savanna_position_view(position, seats[i], &seen, &error));
    }
    HOLD(made == NULL && seen == NULL && held == NULL);
}

static void abuse_views(void)
{
    SavannaView *made = NULL;
    SavannaPosition *drawn = NULL;
    SavannaRules *held = NULL;
    SavannaState state;
    uint8_t legal[80];
    size_t count;

    BAD_TEXTS(savanna_view_parse(text, length, &made, &error));
    BAD_PLACES(SavannaView *, savanna_view_parse("2p", 2, out, &error));
    BAD_BUFFERS(char, savanna_view_text(view, into, capacity, n, &error));
    BAD_HANDLES(SavannaView, position, savanna_view_text(it, NULL, 0, &count, &error));
    BAD_HANDLES(SavannaView, position, savanna_view_rules(it, &held, &error));
    BAD_PLACES(SavannaRules *, savanna_view_rules(view, out, &error));
    BAD_HANDLES(SavannaView, rules, savanna_view_state(it, &state, sizeof state, &error));
    BAD_SIZES(SavannaState, savanna_view_state(view, out, size, &error));
    BAD_HANDLES(SavannaView, position, savanna_view_legal(it, legal, sizeof legal, &count, &error));
    BAD_BUFFERS(uint8_t, savanna_view_legal(view, into, capacity, n, &error));
    BAD_HANDLES(SavannaView, position, savanna_view_sample(it, 7, &drawn, &error));
    BAD_PLACES(SavannaPosition *, savanna_view_sample(view, 7, out, &error));
    HOLD(made == NULL && drawn == NULL && held == NULL);
}

static void abuse_rollouts(void)
{
    static const uint64_t games[] = {0, (UINT64_C(1) << 53) + 1, UINT64_MAX};
    static const int32_t threads[] = {-1, 1025, INT32_MIN, INT32_MAX};
    SavannaTally tally;
    const size_t full = sizeof tally;

    for (int i = 0; i < 3; i++) {
        REFUSE("out of range", savanna_rules_rollout(rules, games[i], 7, 1, &tally, full, &error));
        REFUSE("out of range", savanna_position_rollout(position, games[i], 7, 1, &tally, full, &error));
        REFUSE("out of range", savanna_view_rollout(view, games[i], 7, 1, &tally, full, &error));
    }
    for (int i = 0; i < 4; i++) {
        REFUSE("out of range", savanna_rules_rollout(rules, 10, 7, threads[i], &tally, full, &error));
        REFUSE("out of range", savanna_position_rollout(position, 10, 7, threads[i], &tally, full, &error));
        REFUSE("out of range", savanna_view_rollout(view, 10, 7, threads[i], &tally, full, &error));
    }
    BAD_HANDLES(SavannaRules, view, savanna_rules_rollout(it, 10, 7, 1, &tally, full, &error));
    BAD_HANDLES(SavannaPosition, view, savanna_position_rollout(it, 10, 7, 1, &tally, full, &error));
    BAD_HANDLES(SavannaView, position, savanna_view_rollout(it, 10, 7, 1, &tally, full, &error));
    BAD_SIZES(SavannaTally, savanna_rules_rollout(rules, 10, 7, 1, out, size, &error));
    BAD_SIZES(SavannaTally, savanna_position_rollout(position, 10, 7, 1, out, size, &error));
    BAD_SIZES(SavannaTally, savanna_view_rollout(view, 10, 7, 1, out, size, &error));
}

static void abuse_analyses(void)
{
    static const double seconds[] = {-1.0, 1e7, HUGE_VAL, -HUGE_VAL};
    static const int32_t threads[] = {-1, 1025, INT32_MIN, INT32_MAX};
    static const size_t sizes[] = {0, sizeof(SavannaMoveAnalysis) - 1, sizeof(SavannaMoveAnalysis) + 1, SIZE_MAX};
    SavannaAnalysis *made = NULL;
    SavannaMoveAnalysis moves[80];
    size_t count;

    BAD_HANDLES(SavannaView, position, savanna_view_analyse(it, 100, 0, 7, 1, &made, &error));
    BAD_PLACES(SavannaAnalysis *, savanna_view_analyse(view, 100, 0, 7, 1, out, &error));
    REFUSE("not to move", savanna_view_analyse(other_view, 100, 0, 7, 1, &made, &error));
    REFUSE("out of range", savanna_view_analyse(view, 0, 0, 7, 1, &made, &error));
    REFUSE("out of range", savanna_view_analyse(view, 100, 1, 7, 1, &made, &error));
    REFUSE("out of range", savanna_view_analyse(view, UINT64_MAX, 0, 7, 1, &made, &error));
    REFUSE("out of range", savanna_view_analyse(view, 0, NAN, 7, 1, &made, &error));
    for (int i = 0; i < 4; i++) {
        REFUSE("out of range", savanna_view_analyse(view, 0, seconds[i], 7, 1, &made, &error));
        REFUSE("out of range", savanna_view_analyse(view, 100, 0, 7, threads[i], &made, &error));
        REFUSE("bad size", savanna_analysis_moves(analysis, moves, 80, sizes[i], &count, &error));
    }
    HOLD(made == NULL);
    BAD_HANDLES(SavannaAnalysis, view, savanna_analysis_best(it, &(int32_t){0}, &error));
    BAD_PLACES(int32_t, savanna_analysis_best(analysis, out, &error));
    BAD_HANDLES(SavannaAnalysis, view, savanna_analysis_iterations(it, &(uint64_t){0}, &error));
    BAD_PLACES(uint64_t, savanna_analysis_iterations(analysis, out, &error));
    BAD_HANDLES(SavannaAnalysis, view, savanna_analysis_moves(it, moves, 80, sizeof moves[0], &count, &error));
    BAD_BUFFERS(SavannaMoveAnalysis, savanna_analysis_moves(analysis, into, capacity, sizeof *into, n, &error));
}

/* After the last move there is nothing to play, to choose or to list. */
static void abuse_the_end(void)
{
    SavannaPosition *now = NULL, *next = NULL;
    SavannaView *seen = NULL;
    SavannaAnalysis *made = NULL;
    uint8_t legal[80];
    size_t count;

    ACCEPT(savanna_view_sample(view, 7, &now, &error));
    for (int ply = 0; ply < 20; ply++) {
        ACCEPT(savanna_position_legal(now, legal, sizeof legal, &count, &error));
        ACCEPT(savanna_position_play(now, legal[0], &next, &error));
        ACCEPT(savanna_position_free(&now, &error));
        now = next;
    }
    next = NULL;
    ACCEPT(savanna_position_view(now, 0, &seen, &error));
    ACCEPT(savanna_position_legal(now, legal, sizeof legal, &count, &error));
    HOLD(count == 0);
    REFUSE("game over", savanna_position_play(now, legal[0], &next, &error));
    REFUSE("game over", savanna_position_play(now, -1, &next, &error));
    REFUSE("game over", savanna_view_analyse(seen, 100, 0, 7, 1, &made, &error));
    HOLD(next == NULL && made == NULL);
    ACCEPT(savanna_position_free(&now, &error));
    ACCEPT(savanna_view_free(&seen, &error));
}

/* The error itself may be NULL; where it cannot be written, nothing is done. */
static void abuse_errors(void)
{
    char bytes[sizeof(SavannaError) + 8];
    SavannaError *misaligned = (SavannaError *)(void *)(bytes + 1 + (uintptr_t)bytes % 2);
    SavannaRules *made = NULL;

    memset(bytes, '?', sizeof bytes);
    HOLD(savanna_rules_parse("2p", 2, &made, misaligned) == SAVANNA_STATUS_MISALIGNED_POINTER);
    HOLD(made == NULL && bytes[1] == '?' && bytes[2] == '?');
    HOLD(savanna_rules_parse("9p", 2, &made, NULL) == SAVANNA_STATUS_BAD_TEXT);
    HOLD(savanna_rules_parse("2p", 2, &made, NULL) == SAVANNA_STATUS_OK);
    HOLD(savanna_rules_free(&made, NULL) == SAVANNA_STATUS_OK);
}

int main(void)
{
    make_handles();
    memset(&error, '?', sizeof error);
    abuse_moves();
    abuse_rules();
    abuse_positions();
    abuse_views();
    abuse_rollouts();
    abuse_analyses();
    abuse_the_end();
    abuse_errors();
    BAD_FREE(SavannaPosition, rules, savanna_position_free(variable, &error), position);
    BAD_FREE(SavannaView, rules, savanna_view_free(variable, &error), view);
    BAD_FREE(SavannaView, rules, savanna_view_free(variable, &error), other_view);
    BAD_FREE(SavannaAnalysis, rules, savanna_analysis_free(variable, &error), analysis);
    ACCEPT(savanna_position_deal(rules, 7, &position, &error));
    BAD_FREE(SavannaRules, position, savanna_rules_free(variable, &error), rules);
    ACCEPT(savanna_position_free(&position, &error));
    REFUSE("null pointer", savanna_position_text(position, NULL, 0, &(size_t){0}, &error));
    printf("%d refused, %d wrong\n", refused, wrong);
    return wrong != 0;
}
