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

extern void dispatch_retain(void *object);
extern void dispatch_release(void *object);
/* The main queue is this object. */
extern char _dispatch_main_q[];

void *csec_retain_queue(void *queue) {
    void *chosen = queue ? queue : _dispatch_main_q;
    dispatch_retain(chosen);
    return chosen;
}

void csec_async(void *queue, void *context, void (*work)(void *context)) {
    dispatch_async_f(queue, context, work);
    dispatch_release(queue);
}

void *csec_retain_block(const void *block) {
    return block ? _Block_copy(block) : NULL;
}

void csec_call_with_pair(void *block, const void *public_key, const void *private_key, const void *error) {
    void (*invoke)(void *, const void *, const void *, const void *) =
        (void (*)(void *, const void *, const void *, const void *))((struct block *)block)->invoke;
    invoke(block, public_key, private_key, error);
    _Block_release(block);
}

void csec_call_with_result(void *block, const void *trust, uint32_t result) {
    void (*invoke)(void *, const void *, uint32_t) =
        (void (*)(void *, const void *, uint32_t))((struct block *)block)->invoke;
    invoke(block, trust, result);
    _Block_release(block);
}

void csec_call_with_error(void *block, const void *error) {
    void (*invoke)(void *, const void *) = (void (*)(void *, const void *))((struct block *)block)->invoke;
    invoke(block, error);
    _Block_release(block);
}

void csec_call_with_list(void *block, const void *list, const void *error) {
    void (*invoke)(void *, const void *, const void *) =
        (void (*)(void *, const void *, const void *))((struct block *)block)->invoke;
    invoke(block, list, error);
    _Block_release(block);
}
