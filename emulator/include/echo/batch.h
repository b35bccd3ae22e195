// Many small programs in one source: each is a function that returns a checksum of what it observed. The batch runs
// each under many settings, one child process per run, so that a trap ends that run only.
//
//   #include "echo/batch.h"
//   ECHO_BATCH({"name", function}, ...)          // defines main
//
// Usage: program SETTING[,SETTING...] [SHARD/SHARDS [NAME or PREFIX*]] where SETTING is eager, late, others, exclusive (eager
// without concurrent managed access), race, undefined (race, and reads of what nobody wrote), or rand:FIRST-LAST. One line per run: NAME SETTING CHECKSUM CODE, with `-`
// where no checksum came back; CODE is the child's exit code, or 1000 + its signal.
#pragma once
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
extern "C" void echo_configure(int schedule, unsigned long seed, int concurrent, int race);
extern "C" int echo_findings();
struct echo_batch_case { const char *name; unsigned long (*run)(); };
// Seconds of processor time that one run may take.
enum { ECHO_BATCH_LIMIT = 10 };
struct echo_batch_setting { char name[32]; int schedule; unsigned long seed; int concurrent, race; };
static inline void echo_batch_run(const echo_batch_case &c, const echo_batch_setting &s) {
    int ends[2], status = 0;
    fflush(stdout);
    if (pipe(ends)) { perror("pipe"); exit(2); }
    pid_t child = fork();
    if (child < 0) { perror("fork"); exit(2); }
    if (child == 0) {
        // Processor time, so that a busy machine changes no result.
        itimerval limit = {{0, 0}, {ECHO_BATCH_LIMIT, 0}};
        setitimer(ITIMER_PROF, &limit, 0);
        // Only the checksum counts; findings are in the exit code.
        if (!getenv("ECHO_BATCH_VERBOSE") && !freopen("/dev/null", "w", stderr)) _exit(2);
        echo_configure(s.schedule, s.seed, s.concurrent, s.race);
        unsigned long sum = c.run();
        if (write(ends[1], &sum, sizeof sum) != (ssize_t)sizeof sum) _exit(2);
        _exit(echo_findings());
    }
    close(ends[1]);
    unsigned long sum = 0;
    ssize_t got = read(ends[0], &sum, sizeof sum);
    close(ends[0]);
    waitpid(child, &status, 0);
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    if (got == (ssize_t)sizeof sum) printf("%s %s %lu %d\n", c.name, s.name, sum, code);
    else printf("%s %s - %d\n", c.name, s.name, code);
}
// Whether a case was asked for: by its name, or by a prefix of it and a star.
static inline bool echo_batch_wanted(const char *name, const char *pattern) {
    size_t length = strlen(pattern);
    if (length && pattern[length - 1] == '*') return !strncmp(name, pattern, length - 1);
    return !strcmp(name, pattern);
}
static inline int echo_batch_main(const echo_batch_case *cases, size_t count, int argc, char **argv) {
    unsigned long shard = 0, shards = 1;
    if (argc < 2 || (argc > 2 && (sscanf(argv[2], "%lu/%lu", &shard, &shards) != 2 || shards == 0))) {
        fprintf(stderr, "usage: %s SETTING[,SETTING...] [SHARD/SHARDS]\n", argv[0]);
        return 2;
    }
    enum { most = 256 };
    static echo_batch_setting settings[most];
    int n = 0;
    for (char *word = strtok(argv[1], ","); word; word = strtok(0, ",")) {
        unsigned long first, last;
        if (sscanf(word, "rand:%lu-%lu", &first, &last) == 2) {
            for (unsigned long seed = first; seed <= last && n < most; seed++) {
                echo_batch_setting &s = settings[n++];
                s = echo_batch_setting{"", 3, seed, 1, 0};
                snprintf(s.name, sizeof s.name, "rand:%lu", seed);
            }
            continue;
        }
        int schedule = !strcmp(word, "late") ? 1 : !strcmp(word, "others") ? 2 : 0;
        int race = !strcmp(word, "race") ? 1 : !strcmp(word, "undefined") ? 2 : 0;
        bool known = schedule || race || !strcmp(word, "eager") || !strcmp(word, "exclusive");
        if (!known || n == most) { fprintf(stderr, "unknown setting %s\n", word); return 2; }
        echo_batch_setting &s = settings[n++];
        s = echo_batch_setting{"", schedule, 1, strcmp(word, "exclusive") != 0, race};
        snprintf(s.name, sizeof s.name, "%s", word);
    }
    for (size_t i = shard; i < count; i += shards)
        for (int k = 0; k < n && (argc < 4 || echo_batch_wanted(cases[i].name, argv[3])); k++) echo_batch_run(cases[i], settings[k]);
    return 0;
}
#define ECHO_BATCH(...)                                                                                             \
    static const echo_batch_case echo_batch_cases[] = {__VA_ARGS__};                                                \
    int main(int argc, char **argv) {                                                                               \
        return echo_batch_main(echo_batch_cases, sizeof echo_batch_cases / sizeof echo_batch_cases[0], argc, argv); \
    }
