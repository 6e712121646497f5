/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes: objects of Core Foundation that hold an object of Swift's. A client may retain, compare, describe and collect them
   like any other; Swift's own objects answer none of that to C. */
#include "CSecurity.h"

#include <pthread.h>

#include "core-foundation.h"

struct box {
    uintptr_t isa, count;
    uint64_t info;
    /* Owned. */
    void *held;
    /* Of what csec_keep lends; made when it is first needed, under the lock. */
    CFTypeRef kept;
};

static struct csec_callbacks callbacks;
static CFTypeID type_ids[csec_kind_count];
static CFRuntimeClass classes[csec_kind_count];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const char *const names[csec_kind_count] = {
    [csec_kind_key] = "SecKey",
    [csec_kind_certificate] = "SecCertificate",
    [csec_kind_identity] = "SecIdentity",
    [csec_kind_policy] = "SecPolicy",
    [csec_kind_trust] = "SecTrust",
    [csec_kind_access_control] = "SecAccessControl",
    [csec_kind_keychain] = "SecKeychain",
    [csec_kind_keychain_item] = "SecKeychainItem",
    [csec_kind_access] = "SecAccess",
    [csec_kind_acl] = "SecACL",
    [csec_kind_trusted_application] = "SecTrustedApplication",
    [csec_kind_task] = "SecTask",
    [csec_kind_keychain_search] = "SecKeychainSearch",
    [csec_kind_identity_search] = "SecIdentitySearch",
    [csec_kind_cms_encoder] = "CMSEncoder",
    [csec_kind_cms_decoder] = "CMSDecoder",
    [csec_kind_other] = "LlaveroObject",
};

static void finalize(CFTypeRef object) {
    struct box *box = (struct box *)object;
    if (box->kept) CFRelease(box->kept);
    if (box->held) callbacks.release(box->held);
}

static Boolean equal(CFTypeRef object, CFTypeRef other) {
    return callbacks.equal(((const struct box *)object)->held, ((const struct box *)other)->held);
}

static CFHashCode hash(CFTypeRef object) {
    return callbacks.hash(((const struct box *)object)->held);
}

static CFTypeRef copy_description(CFTypeRef object) {
    char text[512];
    size_t count = callbacks.describe(((const struct box *)object)->held, text, sizeof text);
    return csec_string(text, count);
}

static CFTypeRef copy_formatting(CFTypeRef object, CFTypeRef options) {
    (void)options;
    return copy_description(object);
}

/* All at one time and early: Core Foundation does not allow two registrations at once. */
static void begin(void) {
    for (int kind = 0; kind < csec_kind_count; kind++) {
        classes[kind] = (CFRuntimeClass){
            .name = names[kind],
            .finalize = finalize,
            .equal = equal,
            .hash = hash,
            .copy_formatting = copy_formatting,
            .copy_description = copy_description,
        };
        type_ids[kind] = _CFRuntimeRegisterClass(&classes[kind]);
    }
}

/* Swift's part sets this before it makes the first box; an answer of type_id needs it not. */
void csec_begin(const struct csec_callbacks *given) {
    pthread_mutex_lock(&lock);
    callbacks = *given;
    pthread_mutex_unlock(&lock);
    pthread_once(&once, begin);
}

uintptr_t csec_type_id(enum csec_kind kind) {
    pthread_once(&once, begin);
    return type_ids[kind];
}

const void *csec_box(enum csec_kind kind, void *held) {
    struct box *box = (struct box *)_CFRuntimeCreateInstance(
        NULL, csec_type_id(kind), sizeof(struct box) - offsetof(struct box, held), NULL);
    if (!box) {
        callbacks.release(held);
        return NULL;
    }
    box->held = held;
    box->kept = NULL;
    return box;
}

void *csec_held(const void *box) {
    return ((const struct box *)box)->held;
}

const void *csec_keep(const void *object, const void *given) {
    struct box *box = (struct box *)object;
    if (!given) return NULL;
    pthread_mutex_lock(&lock);
    if (!box->kept) box->kept = CFSetCreateMutable(NULL, 0, kCFTypeSetCallBacks);
    if (box->kept) CFSetAddValue(box->kept, given);
    const void *lent = box->kept ? CFSetGetValue(box->kept, given) : NULL;
    pthread_mutex_unlock(&lock);
    CFRelease(given);
    return lent;
}

enum csec_type csec_type_of(const void *object) {
    /* There is one, and on Linux it answers no number of its own. */
    if (object == kCFNull) return csec_type_null;
    CFTypeID type = CFGetTypeID(object);
    if (type == CFStringGetTypeID()) return csec_type_string;
    if (type == CFBooleanGetTypeID()) return csec_type_boolean;
    if (type == CFDataGetTypeID()) return csec_type_data;
    if (type == CFNumberGetTypeID()) return csec_type_number;
    if (type == CFDictionaryGetTypeID()) return csec_type_dictionary;
    if (type == CFArrayGetTypeID()) return csec_type_array;
    if (type == CFDateGetTypeID()) return csec_type_date;
    if (type == CFUUIDGetTypeID()) return csec_type_uuid;
    pthread_once(&once, begin);
    /* They were registered one after the other, but others may have registered theirs between. */
    for (int kind = 0; kind < csec_kind_count; kind++)
        if (type == type_ids[kind]) return csec_type_box;
    return csec_type_other;
}
