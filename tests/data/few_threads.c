/* To be loaded before a program: a system that grants only so many more threads. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

/* How many more; below 0 for as many as there can be. */
int threads_left = -1;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    if (threads_left == 0) {
        return EAGAIN;
    }
    threads_left -= threads_left > 0;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return create(thread, attributes, start, argument);
}
