/* How capi_abuse.c calls what must be refused, counts it, and tells what was not. */

#ifndef CAPI_ABUSE_H
#define CAPI_ABUSE_H

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

#endif
