/* A C program that embeds the engine: the champion plays a complete game against itself, each seat by its view.
 *
 * docs/embedding.md says how to compile it. The optional argument is the number of iterations per move.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "savanna.h"

/* Ends the program if a call has failed, and says why. */
static void check(SavannaStatus status, const SavannaError *error)
{
    if (status != SAVANNA_STATUS_OK) {
        fprintf(stderr, "%s: %s\n", savanna_status_text(status), error->message);
        exit(EXIT_FAILURE);
    }
}

/* Called a few times per second while the champion thinks: prints the progress, and lets it go on. */
static int32_t watch(void *iterations, uint64_t done)
{
    fprintf(stderr, "%" PRIu64 " of %" PRIu64 " iterations\r", done, *(uint64_t *)iterations);
    return 0; /* any other value stops the call, which fails with SAVANNA_STATUS_STOPPED */
}

/* Lets the champion analyse a view, prints its best move with its estimates, and returns that move. */
static int32_t think(const SavannaView *view, uint64_t iterations)
{
    SavannaError error;
    SavannaAnalysis *analysis = NULL;
    SavannaEffort effort;
    SavannaMoveAnalysis moves[SAVANNA_MAX_MOVES];
    char text[32];
    size_t count, length;

    check(savanna_default_effort(&effort, sizeof effort, &error), &error);
    effort.iterations = iterations;
    effort.seed = 7;
    effort.watch = watch;
    effort.context = &iterations;
    check(savanna_view_analyse(view, &effort, sizeof effort, &analysis, &error), &error);
    check(savanna_analysis_moves(analysis, moves, SAVANNA_MAX_MOVES, sizeof moves[0], &count, &error), &error);
    check(savanna_analysis_free(&analysis, &error), &error);
    check(savanna_move_text(moves[0].action, text, sizeof text, &length, &error), &error);
    printf("%-18s %5" PRIu64 " of %" PRIu64 " iterations, win share %.3f, best of %zu moves\n", text, moves[0].visits,
           iterations, moves[0].win_share, count);
    return moves[0].action;
}

/* Plays the best move of the seat to move; the position in the variable becomes the one after it. */
static void play(SavannaPosition **position, int32_t seat, uint64_t iterations)
{
    SavannaError error;
    SavannaView *view = NULL;
    SavannaPosition *next = NULL;

    check(savanna_position_view(*position, seat, &view, &error), &error);
    printf("seat %" PRId32 " plays ", seat);
    check(savanna_position_play(*position, think(view, iterations), &next, &error), &error);
    check(savanna_view_free(&view, &error), &error);
    check(savanna_position_free(position, &error), &error);
    *position = next;
}

static void print_end(const SavannaPosition *position, const SavannaState *state)
{
    SavannaError error;
    size_t length;
    char *text;

    check(savanna_position_text(position, NULL, 0, &length, &error), &error);
    text = malloc(length);
    if (text == NULL) {
        exit(EXIT_FAILURE);
    }
    check(savanna_position_text(position, text, length, &length, &error), &error);
    printf("%s\n", text);
    free(text);
    for (int32_t team = 0; team < state->teams; team++) {
        printf("team %" PRId32 ": %" PRId32 " points%s\n", team, state->scores[team], state->won[team] ? ", has won" : "");
    }
}

int main(int argc, char **argv)
{
    const char *printed = "2p,mice";
    uint64_t iterations = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    SavannaError error;
    SavannaRules *rules = NULL;
    SavannaPosition *position = NULL;
    SavannaState state;

    if (savanna_abi_version() != SAVANNA_ABI_VERSION) {
        fprintf(stderr, "the library is another version than its header\n");
        return EXIT_FAILURE;
    }
    check(savanna_rules_parse(printed, strlen(printed), &rules, &error), &error);
    check(savanna_position_deal(rules, 7, &position, &error), &error);
    check(savanna_rules_free(&rules, &error), &error);
    for (;;) {
        check(savanna_position_state(position, &state, sizeof state, &error), &error);
        if (state.is_over) {
            break;
        }
        play(&position, state.to_move, iterations);
    }
    print_end(position, &state);
    check(savanna_position_free(&position, &error), &error);
    return EXIT_SUCCESS;
}
