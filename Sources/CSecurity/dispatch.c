/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks, without the compiler's help for them: a block is an object whose fourth word is the function to call. */
#include <stdlib.h>

#include "CSecurity.h"
#include "core-foundation.h"

extern void *_Block_copy(const void *block);
extern void _Block_release(const void *block);
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *context));

struct block {
    void *isa;
    int flags, reserved;
    void (*invoke)(void *block, const void *trust, bool holds, const void *error);
};

struct work {
    const void *trust;
    struct block *block;
    bool (*evaluate)(const void *trust, const void **error);
};

static void run(void *context) {
    struct work *work = context;
    const void *error = NULL;
    bool holds = work->evaluate(work->trust, &error);
    work->block->invoke(work->block, work->trust, holds, error);
    if (error) CFRelease(error);
    CFRelease(work->trust);
    _Block_release(work->block);
    free(work);
}

bool csec_dispatch(
    void *queue, const void *trust, void *block, bool (*evaluate)(const void *trust, const void **error)) {
    struct work *work = malloc(sizeof *work);
    if (!work) return false;
    *work = (struct work){.trust = CFRetain(trust), .block = _Block_copy(block), .evaluate = evaluate};
    dispatch_async_f(queue, work, run);
    return true;
}
