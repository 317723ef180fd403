/* The engine of the tile game Savanna Ten, for C99 and C++11 or later. Made by cbindgen from src/capi: do not edit.
 *
 * Every function but those of versions and words returns a status, and tells more in `error`, which may be NULL. One
 * that fails has written nothing else, except that a buffer that is too small gets the size that it needs into `count`.
 * Nothing is kept between calls: there is no last error and no setting. Playouts and the champion may take long: they can
 * be watched and stopped, as is said at `SavannaWatch`.
 *
 * A handle is made by a function that takes the address of a variable for it, and is freed by the function of its kind
 * that ends in `_free`, which sets the variable to NULL. What was in the variable before is not freed by anything else.
 * Handles never change, do not depend on each other, and may be used by many threads at once; only freeing one must wait
 * until no call uses it.
 *
 * A list or a text is written into a buffer of the caller with room for `capacity` items; `count` becomes the number of
 * items, or of bytes with the NUL at the end of a text. With the buffer NULL and the capacity 0, only `count` is written,
 * and that is not a failure. A text that is read is UTF-8 of `length` bytes, as strlen counts them, and needs no NUL. `size`
 * is the sizeof of the struct before it: a program that was compiled for another version is told so. Structs that a
 * function reads have another function that fills them with what is usual, so that you set only what you want otherwise.
 *
 * What the caller has to see to: a pointer that is neither NULL nor misaligned points to as much memory as the function
 * says, and nobody else writes or frees it during the call. NULL and misaligned pointers are always found. A handle begins
 * with a mark of its kind, which freeing removes: a handle of another kind is always found, and so is the address of any
 * eight other bytes that may be read. A copy of a handle that has been freed through another variable is not memory that may
 * be read: it is often found, but nobody can count on that, and least of all when a new handle lies there. A watcher is a
 * function of its type that fits the context beside it, and does what is said there. The thread of a call has at least
 * 512 KB of stack. The address of memory that does not exist ends the program. So does a lack of memory, as everywhere in
 * Rust; no panic comes through, but it is told on the standard error.
 */


#ifndef SAVANNA_H
#define SAVANNA_H

#include <stddef.h>
#include <stdint.h>

/*
 The bytes of a message, the NUL at its end included.
 */
#define SAVANNA_MESSAGE_SIZE 252

/*
 The version of this interface: it rises whenever a program must be compiled anew.
 */
#define SAVANNA_ABI_VERSION 1

/*
 How many action ids there are: 0 to 199. An id is (animal * 2 + face) * 20 + space; the animals are monkey, zebra,
 giraffe, elephant, mouse, the faces front, lion, all from 0 on, and the spaces are those of SAVANNA_SPACES.
 */
#define SAVANNA_ACTIONS 200

/*
 The most legal moves that there can be.
 */
#define SAVANNA_MAX_MOVES 80

/*
 The most seats, and so the most teams, that a game can have.
 */
#define SAVANNA_MAX_SEATS 4

/*
 In place of a seat: nobody.
 */
#define SAVANNA_NO_SEAT -1

/*
 How many spaces there are. The other five squares are holes. Spaces are numbered from 0 on in reading order:
 a5 c5 d5 e5, a4 b4 c4 d4, a3 b3 d3 e3, b2 c2 d2 e2, a1 b1 c1 e1.
 */
#define SAVANNA_SPACES 20

/*
 The most tiles in a hand.
 */
#define SAVANNA_HAND 2

/*
 How many lines there are. They are numbered from 0 on: the rows from the top, the columns from the left, the falling
 diagonals and the rising ones, five of each.
 */
#define SAVANNA_LINES 20

/*
 The most spaces in a line; some have one less.
 */
#define SAVANNA_LINE_SPACES 4

/*
 The most lines that a move can fill.
 */
#define SAVANNA_MAX_FILLED 4

/*
 In place of a number: what is printed on the box.
 */
#define SAVANNA_PRINTED -1

/*
 Games that share a random stream, and so what the number of a call's first game is a multiple of.
 */
#define SAVANNA_BATCH 16384

/*
 How a call went. New kinds of failure get new numbers; those that exist keep theirs.
 */
enum SavannaStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   It did what was asked.
   */
  SAVANNA_STATUS_OK = 0,
  /*
   A pointer is NULL that must not be.
   */
  SAVANNA_STATUS_NULL_POINTER = 1,
  /*
   A pointer is not aligned for what it should point to.
   */
  SAVANNA_STATUS_MISALIGNED_POINTER = 2,
  /*
   A handle is not of this kind, or has been freed.
   */
  SAVANNA_STATUS_BAD_HANDLE = 3,
  /*
   A size is not that of the struct: the program was compiled for another version.
   */
  SAVANNA_STATUS_BAD_SIZE = 4,
  /*
   A buffer is too small; the size that is needed has been given.
   */
  SAVANNA_STATUS_TOO_SMALL = 5,
  /*
   A text is not what it should be.
   */
  SAVANNA_STATUS_BAD_TEXT = 6,
  /*
   Options are out of range or contradict each other.
   */
  SAVANNA_STATUS_BAD_RULES = 7,
  /*
   A number is out of range.
   */
  SAVANNA_STATUS_OUT_OF_RANGE = 8,
  /*
   A move is not legal.
   */
  SAVANNA_STATUS_ILLEGAL_MOVE = 9,
  /*
   The game is over.
   */
  SAVANNA_STATUS_GAME_OVER = 10,
  /*
   The view is public, or that of a seat that is not to move.
   */
  SAVANNA_STATUS_NOT_TO_MOVE = 11,
  /*
   A fault of the engine, which was stopped at the border. Please report it.
   */
  SAVANNA_STATUS_INTERNAL = 12,
  /*
   The watcher has stopped the call.
   */
  SAVANNA_STATUS_STOPPED = 13,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum SavannaStatus SavannaStatus;
#else
typedef int32_t SavannaStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 How the moves of a playout are chosen.
 */
enum SavannaPolicy
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /*
   All legal moves are equally likely.
   */
  SAVANNA_POLICY_UNIFORM = 0,
  /*
   So they are on a ply with probability 3/8; otherwise those with the greatest gain at once are, and no other is
   played. The gain is what the lines that a move fills give its team, times the number of other teams, less what
   they give those.
   */
  SAVANNA_POLICY_SOFT_GREEDY = 1,
  /*
   As SOFT_GREEDY, but with probability 1/8.
   */
  SAVANNA_POLICY_KEEN_GREEDY = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum SavannaPolicy SavannaPolicy;
#else
typedef int32_t SavannaPolicy;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/*
 A handle of what a search thinks of every move in a view. It never changes.
 */
typedef struct SavannaAnalysis SavannaAnalysis;

/*
 A handle of everything there is to know about a game at one moment, hidden tiles included. It never changes: a move
 makes another. Give players a view, never the position.
 */
typedef struct SavannaPosition SavannaPosition;

/*
 A handle of the rules of a game.
 */
typedef struct SavannaRules SavannaRules;

/*
 A handle of all that one seat knows: the board, its own hand and Lions, the sizes of hands and decks, the scores. A
 public view has no seat: it knows what everybody sees, neither hands nor animals under Lions. Positions that look
 the same have equal views. It never changes.
 */
typedef struct SavannaView SavannaView;

/*
 What a call says about its failure: what is wrong, where, and with which value. A call that succeeds leaves `OK`
 and an empty message. This struct never changes.
 */
typedef struct {
  /*
   What the call also returns.
   */
  SavannaStatus status;
  /*
   One line of UTF-8 with a NUL at its end, cut if it is long.
   */
  char message[SAVANNA_MESSAGE_SIZE];
} SavannaError;

/*
 What a caller may ask of the rules. `savanna_rules_default_options` fills it with the printed game for two.
 */
typedef struct {
  /*
   Number of seats, 2 to 4.
   */
  int32_t players;
  /*
   1 for the Mice variant, else 0.
   */
  int32_t mice;
  /*
   1 for the Team game, seats 0 and 2 against 1 and 3, else 0.
   */
  int32_t team_game;
  /*
   1 if, above the target, a team without a tile in the line counts as 0 there and so is the least, else 0.
   */
  int32_t absent_can_be_least;
  /*
   Tiles of monkey, zebra, giraffe, elephant, mouse in every seat's deck; all five may be SAVANNA_PRINTED.
   */
  int32_t deck[5];
  /*
   Influence of monkey, zebra, giraffe, elephant, mouse, lion; each 0 to 15.
   */
  int32_t influence[6];
  /*
   The total that is neither below nor above, 0 to 100.
   */
  int32_t target;
  /*
   Points for a line below, above and exactly at the target; each 0 to 100.
   */
  int32_t points[3];
  /*
   Points that the last seat's team gets at the end, 0 to 100, or SAVANNA_PRINTED.
   */
  int32_t last_seat_bonus;
} SavannaRulesOptions;

/*
 What lies on a space.
 */
typedef struct {
  /*
   The seat that placed it; SAVANNA_NO_SEAT if the space is empty.
   */
  int32_t seat;
  /*
   Its animal, numbered as in action ids; -1 if the space is empty, or it is a Lion of which the viewer cannot know.
   */
  int32_t animal;
  /*
   1 if it lies Lion face up, else 0.
   */
  int32_t lion;
} SavannaTile;

/*
 Turn, board, hands, scores and end of a game. Seats and teams are numbered from 0; what lies beyond those that play is
 -1 in `team_of_seat` and `hands`, and 0 elsewhere.
 */
typedef struct {
  /*
   How many seats play.
   */
  int32_t players;
  /*
   How many teams score.
   */
  int32_t teams;
  /*
   How many tiles have been placed, 0 to 20.
   */
  int32_t ply;
  /*
   1 when all spaces are filled, else 0.
   */
  int32_t is_over;
  /*
   The seat to move; SAVANNA_NO_SEAT when the game is over.
   */
  int32_t to_move;
  /*
   The seat that sees this; SAVANNA_NO_SEAT for a position, which shows everything, and for a public view.
   */
  int32_t viewer;
  /*
   The team that each seat plays for.
   */
  int32_t team_of_seat[SAVANNA_MAX_SEATS];
  /*
   The score of each team; when the game is over, the last seat's bonus is in it.
   */
  int32_t scores[SAVANNA_MAX_SEATS];
  /*
   How many tiles of each team lie Lion face up.
   */
  int32_t lions[SAVANNA_MAX_SEATS];
  /*
   1 for each team that has won, else 0; all 0 before the end.
   */
  int32_t won[SAVANNA_MAX_SEATS];
  /*
   What lies on each space.
   */
  SavannaTile board[SAVANNA_SPACES];
  /*
   How many tiles each seat holds.
   */
  int32_t hand_sizes[SAVANNA_MAX_SEATS];
  /*
   How many tiles each seat has still to draw.
   */
  int32_t deck_sizes[SAVANNA_MAX_SEATS];
  /*
   The animals in each seat's hand, numbered as in action ids, in ascending order; -1 where no tile is, and for all
   that the viewer cannot know.
   */
  int32_t hands[SAVANNA_MAX_SEATS][SAVANNA_HAND];
} SavannaState;

/*
 A line as it stands. It depends on board and scores alone, so it is the same in a position and in every view of it.
 */
typedef struct {
  /*
   Its spaces in ascending order, numbered as in SAVANNA_SPACES; -1 beyond the last one.
   */
  int32_t spaces[SAVANNA_LINE_SPACES];
  /*
   How many of its tiles are of each team.
   */
  int32_t tiles[SAVANNA_MAX_SEATS];
  /*
   The influence of each team.
   */
  int32_t influence[SAVANNA_MAX_SEATS];
  /*
   The influence of all teams.
   */
  int32_t total;
  /*
   How many of its spaces are empty; the line is full if this is 0.
   */
  int32_t empty;
  /*
   The points of each team; 0 until the line is full, and while its points are `unclaimed`.
   */
  int32_t points[SAVANNA_MAX_SEATS];
  /*
   The team that gets the points of a full line: below and above the target, the only team with points; exactly at the
   target, the team that filled the line, if all ways in which the scores can have come about agree on it. Else -1.
   */
  int32_t scorer;
  /*
   What a line exactly at the target gave if its scorer is not known, without points for Mice; else 0.
   */
  int32_t unclaimed;
} SavannaLineState;

/*
 A line that a move fills, and what it gives; the last seat's bonus is not in it.
 */
typedef struct {
  /*
   Which line, as numbered at SAVANNA_LINES.
   */
  int32_t line;
  /*
   Its total influence.
   */
  int32_t total;
  /*
   The points of each team.
   */
  int32_t points[SAVANNA_MAX_SEATS];
} SavannaLineScore;

/*
 A function of the caller's that watches a long call, or NULL. It is called a few times a second, on the thread that
 made the call, with the `context` that was given beside it and with how much is done so far, which is never less than
 before; a call that is done at once is not watched at all. It returns 0 to let the call go on. Anything else stops it
 within moments: it fails with STOPPED and does not call the watcher again. A watcher may call this library, but free
 nothing that the call uses. It has to return: neither longjmp nor an exception of C++ may leave it.
 */
typedef int32_t (*SavannaWatch)(void *context, uint64_t done);

/*
 Which games are played, and how. `savanna_rollout_default_options` fills it with a million uniform games of seed 0, on
 every core, watched by nobody.
 */
typedef struct {
  /*
   How many games, 1 to 2^53.
   */
  uint64_t games;
  /*
   The number of the first game, a multiple of SAVANNA_BATCH; no number may reach 2^53. So the games of a long call
   can be played in parts, with the same seed and by as many machines as you like: the counts of the parts add up to
   those of the whole.
   */
  uint64_t first;
  /*
   With source and policy, it decides every game; the number of threads does not.
   */
  uint64_t seed;
  /*
   One of SavannaPolicy.
   */
  int32_t policy;
  /*
   How many threads, 1 to 1024; 0 for one for each core.
   */
  int32_t threads;
  /*
   Is told how many games have been played.
   */
  SavannaWatch watch;
  /*
   What the watcher is called with.
   */
  void *context;
} SavannaRolloutOptions;

/*
 What many playouts came to. Counts are exact; the shares and means follow from them. Teams that do not play have 0.
 */
typedef struct {
  /*
   How many games were played.
   */
  uint64_t games;
  /*
   For each team, how many games it won together with 0, 1, 2, 3 others.
   */
  uint64_t wins[SAVANNA_MAX_SEATS][SAVANNA_MAX_SEATS];
  /*
   The sum of each team's final scores.
   */
  uint64_t scores[SAVANNA_MAX_SEATS];
  /*
   Lines filled below, above and exactly at the target.
   */
  uint64_t lines[3];
  /*
   The share of wins of each team; a win shared among k teams counts 1 / k.
   */
  double win_share[SAVANNA_MAX_SEATS];
  /*
   The standard error of that share, with two imaginary games, one won and one lost: never 0.
   */
  double win_share_stderr[SAVANNA_MAX_SEATS];
  /*
   The mean final score of each team.
   */
  double mean_score[SAVANNA_MAX_SEATS];
  /*
   The standard error of that mean, NaN if all games came to the same score, which do not tell it.
   */
  double mean_score_stderr[SAVANNA_MAX_SEATS];
} SavannaTally;

/*
 A move, and what the playouts after it came to.
 */
typedef struct {
  /*
   The action id of the move.
   */
  int32_t action;
  /*
   What they came to.
   */
  SavannaTally tally;
} SavannaRankedMove;

/*
 How much the champion thinks. `savanna_default_effort` fills it with 40,000 iterations of seed 0, on every core, watched
 by nobody.
 */
typedef struct {
  /*
   How many iterations, 1 to 2^53, unless it goes by `seconds`. With view and seed they decide the
   result; the number of threads does not.
   */
  uint64_t iterations;
  /*
   For how long, above 0 and at most 1,000,000, in place of `iterations`; 0 to go by those.
   */
  double seconds;
  /*
   The seed of its random numbers.
   */
  uint64_t seed;
  /*
   How many threads, 1 to 1024; 0 for one for each core. By `seconds`, each grows a tree, which may take 100 MB.
   */
  int32_t threads;
  /*
   Is told how many iterations have been made.
   */
  SavannaWatch watch;
  /*
   What the watcher is called with.
   */
  void *context;
} SavannaEffort;

/*
 What a search thinks of one move; shares and scores are those of finished games.
 */
typedef struct {
  /*
   The action id of the move.
   */
  int32_t action;
  /*
   How many iterations began with it.
   */
  uint64_t visits;
  /*
   The share of them that the mover's team won; a win shared among k teams counts 1 / k.
   */
  double win_share;
  /*
   The standard error of the share; 0 only if all deals that the view leaves open were solved.
   */
  double share_stderr;
  /*
   By how much the mean score of the mover's team exceeds the mean of the other teams' mean scores.
   */
  double margin;
  /*
   The mean score of each team; 0 for those that do not play.
   */
  double scores[SAVANNA_MAX_SEATS];
} SavannaMoveAnalysis;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 A few words for a status, with static lifetime; never NULL, also for a number that is not a status.
 */
const char *savanna_status_text(int32_t status);

/*
 The version of the library, such as "1.2.3", with static lifetime.
 */
const char *savanna_version(void);

/*
 The SAVANNA_ABI_VERSION that the library was built with, to be compared with that of the header.
 */
uint32_t savanna_abi_version(void);

/*
 The version of the rules as implemented; it rises when any game would be scored differently.
 */
uint32_t savanna_rules_version(void);

/*
 Writes the text of a move, such as "zebra c4" or, with the Lion up, "zebra lion c4".
 */
SavannaStatus savanna_move_text(int32_t action,
                                char *buffer,
                                size_t capacity,
                                size_t *count,
                                SavannaError *error);

/*
 Reads the text of a move.
 */
SavannaStatus savanna_move_parse(const char *move_text, size_t length, int32_t *action, SavannaError *error);

/*
 Fills options with the printed game for two.
 */
SavannaStatus savanna_rules_default_options(SavannaRulesOptions *options, size_t size, SavannaError *error);

/*
 Makes rules of options. Fails with BAD_RULES if one is out of range or contradicts another.
 */
SavannaStatus savanna_rules_new(const SavannaRulesOptions *options,
                                size_t size,
                                SavannaRules **rules,
                                SavannaError *error);

/*
 Writes the options of rules, with what is printed spelled out.
 */
SavannaStatus savanna_rules_options(const SavannaRules *rules,
                                    SavannaRulesOptions *options,
                                    size_t size,
                                    SavannaError *error);

/*
 Reads the text of rules, such as "2p" or "4p,mice,team".
 */
SavannaStatus savanna_rules_parse(const char *rules_text,
                                  size_t length,
                                  SavannaRules **rules,
                                  SavannaError *error);

/*
 Writes the text of rules, which reads back: the number of players and "p", and by commas those of "mice", "team",
 "deck=4.3.2.1.0", "influence=2.3.4.5.1.6", "target=10", "points=2.1.3", "bonus=0", "absent" that are not as printed.
 */
SavannaStatus savanna_rules_text(const SavannaRules *rules,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *count,
                                 SavannaError *error);

/*
 Frees the handle in a variable, which becomes NULL.
 */
SavannaStatus savanna_rules_free(SavannaRules **rules, SavannaError *error);

/*
 Starts a game; the seed decides how the decks are shuffled.
 */
SavannaStatus savanna_position_deal(const SavannaRules *rules,
                                    uint64_t seed,
                                    SavannaPosition **position,
                                    SavannaError *error);

/*
 Reads the text of a position. Fails with BAD_TEXT if it is malformed or no game can come to this.
 */
SavannaStatus savanna_position_parse(const char *position_text,
                                     size_t length,
                                     SavannaPosition **position,
                                     SavannaError *error);

/*
 Writes the text of a position, which reads back, such as "2p ..../0z1M../..../..../.... mz/mz mzemmgg/mzzegmg 0/0":
 the text of the rules; the spaces, rank by rank; each seat's hand in ascending order; each seat's deck, what is drawn
 next first; each team's score. A tile is the letter of its animal: m for monkey, z zebra, g giraffe, e elephant, u
 mouse. On the board, its seat stands before it, the letter is a capital if it lies Lion face up, and a dot is an empty
 space. A hand or deck without tiles is "-".
 */
SavannaStatus savanna_position_text(const SavannaPosition *position,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *count,
                                    SavannaError *error);

/*
 Gives a new handle of the rules of the game.
 */
SavannaStatus savanna_position_rules(const SavannaPosition *position,
                                     SavannaRules **rules,
                                     SavannaError *error);

/*
 Writes whose turn it is, the board, all hands, the scores, and who has won.
 */
SavannaStatus savanna_position_state(const SavannaPosition *position,
                                     SavannaState *state,
                                     size_t size,
                                     SavannaError *error);

/*
 Writes the action ids of the legal moves in ascending order; none when the game is over. There are at most
 SAVANNA_MAX_MOVES.
 */
SavannaStatus savanna_position_legal(const SavannaPosition *position,
                                     uint8_t *actions,
                                     size_t capacity,
                                     size_t *count,
                                     SavannaError *error);

/*
 Writes the SAVANNA_LINES lines as they stand, in their order. `size` is that of one struct, `capacity` how many there
 is room for.
 */
SavannaStatus savanna_position_lines(const SavannaPosition *position,
                                     SavannaLineState *lines,
                                     size_t capacity,
                                     size_t size,
                                     size_t *count,
                                     SavannaError *error);

/*
 Writes the lines that a move would fill, in their order, and what each would give. `size` is that of one struct,
 `capacity` how many there is room for; there are at most SAVANNA_MAX_FILLED. Fails as `savanna_position_play` does.
 */
SavannaStatus savanna_position_preview(const SavannaPosition *position,
                                       int32_t action,
                                       SavannaLineScore *lines,
                                       size_t capacity,
                                       size_t size,
                                       size_t *count,
                                       SavannaError *error);

/*
 Gives a new handle of the position after a move; the old one stays as it is, and is still to be freed. Fails with
 ILLEGAL_MOVE, GAME_OVER or, for a number that is not an action id, OUT_OF_RANGE.
 */
SavannaStatus savanna_position_play(const SavannaPosition *position,
                                    int32_t action,
                                    SavannaPosition **next,
                                    SavannaError *error);

/*
 Frees the handle in a variable, which becomes NULL.
 */
SavannaStatus savanna_position_free(SavannaPosition **position, SavannaError *error);

/*
 Gives a new handle of what a seat knows.
 */
SavannaStatus savanna_position_view(const SavannaPosition *position,
                                    int32_t seat,
                                    SavannaView **view,
                                    SavannaError *error);

/*
 Gives a new handle of what everybody knows, those without a seat too: a public view, for spectators.
 */
SavannaStatus savanna_position_public(const SavannaPosition *position,
                                      SavannaView **view,
                                      SavannaError *error);

/*
 Reads the text of a view. Fails with BAD_TEXT if it is malformed or no position looks like this.
 */
SavannaStatus savanna_view_parse(const char *view_text,
                                 size_t length,
                                 SavannaView **view,
                                 SavannaError *error);

/*
 Writes the text of a view, which reads back: "seat=", the seat or, in a public view, "-", a blank, and the text of a
 position in which a question mark stands for the letter of each tile that the seat does not know. In a literal, write it
 as "\?": two of them before a slash are a trigraph, which C before C23 and C++ before C++17 read as a backslash.
 */
SavannaStatus savanna_view_text(const SavannaView *view,
                                char *buffer,
                                size_t capacity,
                                size_t *count,
                                SavannaError *error);

/*
 Gives a new handle of the rules of the game.
 */
SavannaStatus savanna_view_rules(const SavannaView *view, SavannaRules **rules, SavannaError *error);

/*
 Writes whose view it is, whose turn, the board and the hand as this seat knows them, the scores, and who has won.
 */
SavannaStatus savanna_view_state(const SavannaView *view,
                                 SavannaState *state,
                                 size_t size,
                                 SavannaError *error);

/*
 Writes the action ids of this seat's legal moves in ascending order; none unless it is to move, so none in a public view.
 There are at most SAVANNA_MAX_MOVES.
 */
SavannaStatus savanna_view_legal(const SavannaView *view,
                                 uint8_t *actions,
                                 size_t capacity,
                                 size_t *count,
                                 SavannaError *error);

/*
 Writes the SAVANNA_LINES lines as they stand, which are those of the position, in their order. `size` is that of one
 struct, `capacity` how many there is room for.
 */
SavannaStatus savanna_view_lines(const SavannaView *view,
                                 SavannaLineState *lines,
                                 size_t capacity,
                                 size_t size,
                                 size_t *count,
                                 SavannaError *error);

/*
 Writes the lines that a move of this seat would fill, in their order, and what each would give. `size` is that of one
 struct, `capacity` how many there is room for; there are at most SAVANNA_MAX_FILLED. Fails with ILLEGAL_MOVE,
 GAME_OVER, NOT_TO_MOVE or, for a number that is not an action id, OUT_OF_RANGE.
 */
SavannaStatus savanna_view_preview(const SavannaView *view,
                                   int32_t action,
                                   SavannaLineScore *lines,
                                   size_t capacity,
                                   size_t size,
                                   size_t *count,
                                   SavannaError *error);

/*
 Draws a position that is consistent with all that the seat knows; all ways in which the unseen tiles can lie are
 equally likely, and the seed decides which it is.
 */
SavannaStatus savanna_view_sample(const SavannaView *view,
                                  uint64_t seed,
                                  SavannaPosition **position,
                                  SavannaError *error);

/*
 Frees the handle in a variable, which becomes NULL.
 */
SavannaStatus savanna_view_free(SavannaView **view, SavannaError *error);

/*
 Fills options with a million uniform games of seed 0, on every core, watched by nobody.
 */
SavannaStatus savanna_rollout_default_options(SavannaRolloutOptions *options,
                                              size_t size,
                                              SavannaError *error);

/*
 Plays games from fresh deals to the end, and writes what they came to. Fails with OUT_OF_RANGE if an option is, or the
 environment variable SAVANNA_BACKEND does not name a way of playing them that this processor has (best leave it unset:
 all play the same games), and with STOPPED if the watcher says so.
 */
SavannaStatus savanna_rules_rollout(const SavannaRules *rules,
                                    const SavannaRolloutOptions *options,
                                    size_t options_size,
                                    SavannaTally *tally,
                                    size_t tally_size,
                                    SavannaError *error);

/*
 As savanna_rules_rollout, from a position with its true hidden tiles.
 */
SavannaStatus savanna_position_rollout(const SavannaPosition *position,
                                       const SavannaRolloutOptions *options,
                                       size_t options_size,
                                       SavannaTally *tally,
                                       size_t tally_size,
                                       SavannaError *error);

/*
 As savanna_rules_rollout, from a view, with what it hides redrawn for every game.
 */
SavannaStatus savanna_view_rollout(const SavannaView *view,
                                   const SavannaRolloutOptions *options,
                                   size_t options_size,
                                   SavannaTally *tally,
                                   size_t tally_size,
                                   SavannaError *error);

/*
 Plays games after each legal move of a position, all with the same random numbers, and writes the moves, best first: by
 the win share of the team to move, then by how far its mean score exceeds the best other. `size` is that of one struct,
 `capacity` how many there is room for; there are at most SAVANNA_MAX_MOVES. Fails as savanna_rules_rollout does, and with
 GAME_OVER.
 */
SavannaStatus savanna_position_rank_moves(const SavannaPosition *position,
                                          const SavannaRolloutOptions *options,
                                          size_t options_size,
                                          SavannaRankedMove *moves,
                                          size_t capacity,
                                          size_t size,
                                          size_t *count,
                                          SavannaError *error);

/*
 As savanna_position_rank_moves, in a view of the seat to move, with what it hides redrawn for every game, and so the
 tile that the seat draws after the move. Fails with NOT_TO_MOVE in another view.
 */
SavannaStatus savanna_view_rank_moves(const SavannaView *view,
                                      const SavannaRolloutOptions *options,
                                      size_t options_size,
                                      SavannaRankedMove *moves,
                                      size_t capacity,
                                      size_t size,
                                      size_t *count,
                                      SavannaError *error);

/*
 Fills an effort with 40,000 iterations of seed 0, on every core, watched by nobody.
 */
SavannaStatus savanna_default_effort(SavannaEffort *effort, size_t size, SavannaError *error);

/*
 Lets the strongest player search in a view of the seat to move. Fails with GAME_OVER or NOT_TO_MOVE if there is nothing
 to choose, with OUT_OF_RANGE if a part of the effort is, and with STOPPED if the watcher says so.
 */
SavannaStatus savanna_view_analyse(const SavannaView *view,
                                   const SavannaEffort *effort,
                                   size_t size,
                                   SavannaAnalysis **analysis,
                                   SavannaError *error);

/*
 Writes the action id of the best move.
 */
SavannaStatus savanna_analysis_best(const SavannaAnalysis *analysis, int32_t *action, SavannaError *error);

/*
 Writes how many iterations were made.
 */
SavannaStatus savanna_analysis_iterations(const SavannaAnalysis *analysis,
                                          uint64_t *iterations,
                                          SavannaError *error);

/*
 Writes what is thought of each move, best first. `size` is that of one struct, `capacity` how many there is room for;
 there are at most SAVANNA_MAX_MOVES.
 */
SavannaStatus savanna_analysis_moves(const SavannaAnalysis *analysis,
                                     SavannaMoveAnalysis *moves,
                                     size_t capacity,
                                     size_t size,
                                     size_t *count,
                                     SavannaError *error);

/*
 Frees the handle in a variable, which becomes NULL.
 */
SavannaStatus savanna_analysis_free(SavannaAnalysis **analysis, SavannaError *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SAVANNA_H */
