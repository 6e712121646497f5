/* SPDX-License-Identifier: Apache-2.0 */
/* What the clients say of themselves: a line for each expectation that does not hold, and how many held. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int held, failed;

#define expect(condition)                                                       \
    do {                                                                        \
        if (condition) {                                                        \
            held++;                                                             \
        } else {                                                                \
            failed++;                                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);     \
        }                                                                       \
    } while (0)

static inline int finish(void) {
    printf("%d held, %d failed\n", held, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
