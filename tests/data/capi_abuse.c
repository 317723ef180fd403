/* Calls every function of savanna.h with what it must refuse: NULL, misaligned and foreign handles, handles that have been
 * freed, wrong sizes, small buffers, bad texts and numbers. Each call has to fail with the status that stands beside it,
 * say something about it, and write nothing else. Prints how many were refused, and which should have been.
 */

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi_abuse.h"
#include "savanna.h"

/* So many games or iterations take a century. */
#define ENDLESS (UINT64_C(1) << 53)

static SavannaRules *rules;
static SavannaPosition *position;
static SavannaView *view, *other_view, *public_view;
static SavannaAnalysis *analysis;

static SavannaRolloutOptions usual_options(void)
{
    SavannaRolloutOptions options;
    ACCEPT(savanna_rollout_default_options(&options, sizeof options, &error));
    return options;
}

static SavannaEffort usual_effort(void)
{
    SavannaEffort effort;
    ACCEPT(savanna_default_effort(&effort, sizeof effort, &error));
    return effort;
}

static void make_handles(void)
{
    SavannaEffort effort = usual_effort();

    ACCEPT(savanna_rules_parse("3p,mice", 7, &rules, &error));
    ACCEPT(savanna_position_deal(rules, 7, &position, &error));
    ACCEPT(savanna_position_view(position, 0, &view, &error));
    ACCEPT(savanna_position_view(position, 1, &other_view, &error));
    ACCEPT(savanna_position_public(position, &public_view, &error));
    effort.iterations = 100;
    ACCEPT(savanna_view_analyse(view, &effort, sizeof effort, &analysis, &error));
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
    uint8_t legal[SAVANNA_MAX_MOVES];
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
    BAD_HANDLES(SavannaPosition, view, savanna_position_public(it, &seen, &error));
    BAD_PLACES(SavannaView *, savanna_position_public(position, out, &error));
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
    uint8_t legal[SAVANNA_MAX_MOVES];
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

/* The position after some moves, and its legal moves; to be freed. */
static SavannaPosition *after(int plies, uint8_t legal[SAVANNA_MAX_MOVES], size_t *count)
{
    SavannaPosition *now = NULL, *next = NULL;

    ACCEPT(savanna_view_sample(view, 7, &now, &error));
    for (int ply = 0; ply < plies; ply++) {
        ACCEPT(savanna_position_legal(now, legal, SAVANNA_MAX_MOVES, count, &error));
        ACCEPT(savanna_position_play(now, legal[0], &next, &error));
        ACCEPT(savanna_position_free(&now, &error));
        now = next;
    }
    ACCEPT(savanna_position_legal(now, legal, SAVANNA_MAX_MOVES, count, &error));
    return now;
}

/* The last move fills several lines. */
static void abuse_lines(void)
{
    static const int32_t ids[] = {-1, SAVANNA_ACTIONS, INT32_MIN, INT32_MAX};
    static const size_t states[] = {0, sizeof(SavannaLineState) - 1, sizeof(SavannaLineState) + 1, SIZE_MAX};
    static const size_t scores[] = {0, sizeof(SavannaLineScore) - 1, sizeof(SavannaLineScore) + 1, SIZE_MAX};
    const size_t full = sizeof(SavannaLineState), each = sizeof(SavannaLineScore);
    SavannaLineState lines[SAVANNA_LINES];
    SavannaLineScore filled[SAVANNA_MAX_FILLED];
    uint8_t legal[SAVANNA_MAX_MOVES];
    size_t count;
    SavannaPosition *last = after(19, legal, &count);
    SavannaView *seen = NULL;

    ACCEPT(savanna_position_view(last, 1, &seen, &error));
    for (int i = 0; i < 4; i++) {
        REFUSE("bad size", savanna_position_lines(last, lines, SAVANNA_LINES, states[i], &count, &error));
        REFUSE("bad size", savanna_view_lines(seen, lines, SAVANNA_LINES, states[i], &count, &error));
        REFUSE("bad size", savanna_position_preview(last, legal[0], filled, SAVANNA_MAX_FILLED, scores[i], &count, &error));
        REFUSE("bad size", savanna_view_preview(seen, legal[0], filled, SAVANNA_MAX_FILLED, scores[i], &count, &error));
        REFUSE("out of range", savanna_position_preview(last, ids[i], filled, SAVANNA_MAX_FILLED, each, &count, &error));
        REFUSE("out of range", savanna_view_preview(seen, ids[i], filled, SAVANNA_MAX_FILLED, each, &count, &error));
    }
    BAD_HANDLES(SavannaPosition, view, savanna_position_lines(it, lines, SAVANNA_LINES, full, &count, &error));
    BAD_HANDLES(SavannaView, position, savanna_view_lines(it, lines, SAVANNA_LINES, full, &count, &error));
    BAD_HANDLES(SavannaPosition, view, savanna_position_preview(it, legal[0], NULL, 0, each, &count, &error));
    BAD_HANDLES(SavannaView, position, savanna_view_preview(it, legal[0], NULL, 0, each, &count, &error));
    BAD_BUFFERS(SavannaLineState, savanna_position_lines(last, into, capacity, full, n, &error));
    BAD_BUFFERS(SavannaLineState, savanna_view_lines(seen, into, capacity, full, n, &error));
    BAD_BUFFERS(SavannaLineScore, savanna_position_preview(last, legal[0], into, capacity, each, n, &error));
    BAD_BUFFERS(SavannaLineScore, savanna_view_preview(seen, legal[0], into, capacity, each, n, &error));
    REFUSE("illegal move", savanna_position_preview(last, legal[0] ^ 1, NULL, 0, each, &count, &error));
    REFUSE("illegal move", savanna_view_preview(seen, legal[0] ^ 1, NULL, 0, each, &count, &error));
    REFUSE("not to move", savanna_view_preview(other_view, 0, NULL, 0, each, &count, &error));
    REFUSE("not to move", savanna_view_preview(public_view, 0, NULL, 0, each, &count, &error));
    ACCEPT(savanna_position_free(&last, &error));
    ACCEPT(savanna_view_free(&seen, &error));
}

/* Playouts that fail, whatever they begin with, and write nothing. */
static void refuse_rollouts(const char *expected, const SavannaRolloutOptions *options)
{
    const size_t size = sizeof *options;
    SavannaTally tally, before;

    memset(&before, '?', sizeof before);
    tally = before;
    REFUSE(expected, savanna_rules_rollout(rules, options, size, &tally, sizeof tally, &error));
    REFUSE(expected, savanna_position_rollout(position, options, size, &tally, sizeof tally, &error));
    REFUSE(expected, savanna_view_rollout(view, options, size, &tally, sizeof tally, &error));
    HOLD(memcmp(&tally, &before, sizeof tally) == 0);
}

/* The usual options, but for one that is out of range. */
#define BAD_OPTION(name, value)                         \
    do {                                                \
        SavannaRolloutOptions bad = usual_options();    \
        bad.name = (value);                             \
        refuse_rollouts("out of range", &bad);          \
    } while (0)

/* Counts how often it is called, calls the library itself, and stops the call. */
static int32_t stop(void *context, uint64_t done)
{
    SavannaRolloutOptions options = usual_options();
    SavannaTally tally;

    (void)done;
    if (++*(int *)context > 9) {
        printf("what was stopped goes on\n");
        exit(EXIT_FAILURE);
    }
    options.games = 10;
    ACCEPT(savanna_rules_rollout(rules, &options, sizeof options, &tally, sizeof tally, &error));
    HOLD(tally.games == 10);
    return INT32_MIN;
}

static void abuse_rollouts(void)
{
    static const uint64_t games[] = {0, ENDLESS + 1, UINT64_MAX};
    static const uint64_t firsts[] = {1, SAVANNA_BATCH - 1, SAVANNA_BATCH + 1, ENDLESS, UINT64_MAX, UINT64_MAX << 14};
    static const int32_t threads[] = {-1, 1025, INT32_MIN, INT32_MAX}, policies[] = {-1, 3, INT32_MIN, INT32_MAX};
    const SavannaRolloutOptions good = usual_options();
    SavannaRolloutOptions endless = good;
    SavannaTally tally;
    const size_t each = sizeof good, full = sizeof tally;
    int told = 0;

    for (int i = 0; i < 3; i++) {
        BAD_OPTION(games, games[i]);
    }
    for (int i = 0; i < 6; i++) {
        BAD_OPTION(first, firsts[i]);
    }
    for (int i = 0; i < 4; i++) {
        BAD_OPTION(threads, threads[i]);
        BAD_OPTION(policy, policies[i]);
    }
    endless.games = ENDLESS;
    endless.watch = stop;
    endless.context = &told;
    refuse_rollouts("stopped", &endless);
    HOLD(told == 3);
    BAD_SIZES(SavannaRolloutOptions, savanna_rollout_default_options(out, size, &error));
    BAD_SIZES(SavannaRolloutOptions, savanna_rules_rollout(rules, out, size, &tally, full, &error));
    BAD_SIZES(SavannaRolloutOptions, savanna_position_rollout(position, out, size, &tally, full, &error));
    BAD_SIZES(SavannaRolloutOptions, savanna_view_rollout(view, out, size, &tally, full, &error));
    BAD_HANDLES(SavannaRules, view, savanna_rules_rollout(it, &good, each, &tally, full, &error));
    BAD_HANDLES(SavannaPosition, view, savanna_position_rollout(it, &good, each, &tally, full, &error));
    BAD_HANDLES(SavannaView, position, savanna_view_rollout(it, &good, each, &tally, full, &error));
    BAD_SIZES(SavannaTally, savanna_rules_rollout(rules, &good, each, out, size, &error));
    BAD_SIZES(SavannaTally, savanna_position_rollout(position, &good, each, out, size, &error));
    BAD_SIZES(SavannaTally, savanna_view_rollout(view, &good, each, out, size, &error));
}

static void abuse_ranks(void)
{
    static const size_t sizes[] = {0, sizeof(SavannaRankedMove) - 1, sizeof(SavannaRankedMove) + 1, SIZE_MAX};
    SavannaRolloutOptions good = usual_options(), bad = good, endless = good;
    SavannaRankedMove moves[SAVANNA_MAX_MOVES];
    const size_t each = sizeof good, full = sizeof moves[0];
    size_t count;
    int told = 0;

    good.games = 10;
    bad.policy = -1;
    REFUSE("out of range", savanna_position_rank_moves(position, &bad, each, NULL, 0, full, &count, &error));
    REFUSE("out of range", savanna_view_rank_moves(view, &bad, each, NULL, 0, full, &count, &error));
    endless.games = ENDLESS;
    endless.watch = stop;
    endless.context = &told;
    REFUSE("stopped", savanna_position_rank_moves(position, &endless, each, NULL, 0, full, &count, &error));
    REFUSE("stopped", savanna_view_rank_moves(view, &endless, each, NULL, 0, full, &count, &error));
    HOLD(told == 2);
    REFUSE("not to move", savanna_view_rank_moves(other_view, &good, each, NULL, 0, full, &count, &error));
    REFUSE("not to move", savanna_view_rank_moves(public_view, &good, each, NULL, 0, full, &count, &error));
    for (int i = 0; i < 4; i++) {
        REFUSE("bad size", savanna_position_rank_moves(position, &good, each, moves, SAVANNA_MAX_MOVES, sizes[i], &count, &error));
        REFUSE("bad size", savanna_view_rank_moves(view, &good, each, moves, SAVANNA_MAX_MOVES, sizes[i], &count, &error));
    }
    BAD_SIZES(SavannaRolloutOptions, savanna_position_rank_moves(position, out, size, NULL, 0, full, &count, &error));
    BAD_SIZES(SavannaRolloutOptions, savanna_view_rank_moves(view, out, size, NULL, 0, full, &count, &error));
    BAD_HANDLES(SavannaPosition, view, savanna_position_rank_moves(it, &good, each, NULL, 0, full, &count, &error));
    BAD_HANDLES(SavannaView, position, savanna_view_rank_moves(it, &good, each, NULL, 0, full, &count, &error));
    BAD_BUFFERS(SavannaRankedMove, savanna_position_rank_moves(position, &good, each, into, capacity, full, n, &error));
    BAD_BUFFERS(SavannaRankedMove, savanna_view_rank_moves(view, &good, each, into, capacity, full, n, &error));
}

/* The usual effort, but for one part that is out of range. */
#define BAD_EFFORT(name, value)                                                                     \
    do {                                                                                            \
        SavannaEffort bad = usual_effort();                                                         \
        bad.name = (value);                                                                         \
        REFUSE("out of range", savanna_view_analyse(view, &bad, sizeof bad, &made, &error));        \
    } while (0)

static void abuse_analyses(void)
{
    static const double seconds[] = {-1.0, 1e7, HUGE_VAL, -HUGE_VAL, NAN};
    static const uint64_t iterations[] = {0, ENDLESS + 1, UINT64_MAX};
    static const int32_t threads[] = {-1, 1025, INT32_MIN, INT32_MAX};
    static const size_t sizes[] = {0, sizeof(SavannaMoveAnalysis) - 1, sizeof(SavannaMoveAnalysis) + 1, SIZE_MAX};
    const SavannaEffort good = usual_effort();
    SavannaEffort endless = good;
    SavannaAnalysis *made = NULL;
    SavannaMoveAnalysis moves[SAVANNA_MAX_MOVES];
    size_t count;
    int told = 0;

    for (int i = 0; i < 5; i++) {
        BAD_EFFORT(seconds, seconds[i]);
    }
    for (int i = 0; i < 3; i++) {
        BAD_EFFORT(iterations, iterations[i]);
    }
    for (int i = 0; i < 4; i++) {
        BAD_EFFORT(threads, threads[i]);
        REFUSE("bad size", savanna_analysis_moves(analysis, moves, SAVANNA_MAX_MOVES, sizes[i], &count, &error));
    }
    endless.watch = stop;
    endless.context = &told;
    endless.iterations = ENDLESS;
    REFUSE("stopped", savanna_view_analyse(view, &endless, sizeof endless, &made, &error));
    endless.seconds = 1e6;
    REFUSE("stopped", savanna_view_analyse(view, &endless, sizeof endless, &made, &error));
    HOLD(told == 2);
    REFUSE("not to move", savanna_view_analyse(other_view, &good, sizeof good, &made, &error));
    REFUSE("not to move", savanna_view_analyse(public_view, &good, sizeof good, &made, &error));
    BAD_SIZES(SavannaEffort, savanna_default_effort(out, size, &error));
    BAD_SIZES(SavannaEffort, savanna_view_analyse(view, out, size, &made, &error));
    BAD_HANDLES(SavannaView, position, savanna_view_analyse(it, &good, sizeof good, &made, &error));
    BAD_PLACES(SavannaAnalysis *, savanna_view_analyse(view, &good, sizeof good, out, &error));
    HOLD(made == NULL);
    BAD_HANDLES(SavannaAnalysis, view, savanna_analysis_best(it, &(int32_t){0}, &error));
    BAD_PLACES(int32_t, savanna_analysis_best(analysis, out, &error));
    BAD_HANDLES(SavannaAnalysis, view, savanna_analysis_iterations(it, &(uint64_t){0}, &error));
    BAD_PLACES(uint64_t, savanna_analysis_iterations(analysis, out, &error));
    BAD_HANDLES(SavannaAnalysis, view, savanna_analysis_moves(it, moves, SAVANNA_MAX_MOVES, sizeof moves[0], &count, &error));
    BAD_BUFFERS(SavannaMoveAnalysis, savanna_analysis_moves(analysis, into, capacity, sizeof *into, n, &error));
}

/* After the last move there is nothing to play, to choose or to list. */
static void abuse_the_end(void)
{
    const SavannaEffort effort = usual_effort();
    const size_t each = sizeof(SavannaLineScore);
    uint8_t legal[SAVANNA_MAX_MOVES];
    size_t count;
    SavannaPosition *now = after(20, legal, &count), *next = NULL;
    SavannaView *seen = NULL;
    SavannaAnalysis *made = NULL;

    HOLD(count == 0);
    ACCEPT(savanna_position_view(now, 0, &seen, &error));
    for (int32_t action = -1; action < 2; action++) {
        REFUSE("game over", savanna_position_play(now, action, &next, &error));
        REFUSE("game over", savanna_position_preview(now, action, NULL, 0, each, &count, &error));
        REFUSE("game over", savanna_view_preview(seen, action, NULL, 0, each, &count, &error));
    }
    REFUSE("game over", savanna_view_analyse(seen, &effort, sizeof effort, &made, &error));
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
    abuse_lines();
    abuse_rollouts();
    abuse_ranks();
    abuse_analyses();
    abuse_the_end();
    abuse_errors();
    BAD_FREE(SavannaPosition, rules, savanna_position_free(variable, &error), position);
    BAD_FREE(SavannaView, rules, savanna_view_free(variable, &error), view);
    BAD_FREE(SavannaView, rules, savanna_view_free(variable, &error), other_view);
    BAD_FREE(SavannaView, rules, savanna_view_free(variable, &error), public_view);
    BAD_FREE(SavannaAnalysis, rules, savanna_analysis_free(variable, &error), analysis);
    ACCEPT(savanna_position_deal(rules, 7, &position, &error));
    BAD_FREE(SavannaRules, position, savanna_rules_free(variable, &error), rules);
    ACCEPT(savanna_position_free(&position, &error));
    REFUSE("null pointer", savanna_position_text(position, NULL, 0, &(size_t){0}, &error));
    printf("%d refused, %d wrong\n", refused, wrong);
    return wrong != 0;
}
