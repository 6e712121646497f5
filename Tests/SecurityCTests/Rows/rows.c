/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the row that the command line names. */
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static CFMutableArrayRef kept;
static CFMutableDictionaryRef results;
static bool failed;

/* MARK: The clock */

static double now = 800000000;

void set_clock(double seconds) {
    now = seconds;
}

void advance_clock(double seconds) {
    now += seconds;
}

/* In the place of libc's for the whole process, the library too, unless the keychain is a daemon's, whose clock goes on. */
int clock_gettime(clockid_t clock, struct timespec *moment) {
    if (clock != CLOCK_REALTIME || getenv("ROWS_CLOCK") == NULL) return (int)syscall(SYS_clock_gettime, clock, moment);
    double since1970 = now + kCFAbsoluteTimeIntervalSince1970;
    moment->tv_sec = (time_t)since1970;
    moment->tv_nsec = (long)((since1970 - (double)moment->tv_sec) * 1e9);
    return 0;
}

/* MARK: Objects */

static void die(const char *reason) {
    fprintf(stderr, "the row is wrong: %s\n", reason);
    exit(3);
}

CFTypeRef keep(CFTypeRef object) {
    if (!object) die("an object cannot be made");
    CFArrayAppendValue(kept, object);
    CFRelease(object);
    return object;
}

CFTypeRef text(const char *bytes, CFIndex count) {
    return keep(CFStringCreateWithBytes(NULL, (const UInt8 *)bytes, count, kCFStringEncodingUTF8, false));
}

static CFTypeRef name(const char *word) {
    return text(word, (CFIndex)strlen(word));
}

CFTypeRef data(const void *bytes, CFIndex count) {
    return keep(CFDataCreate(NULL, bytes, count));
}

CFTypeRef repeated(UInt8 byte, CFIndex count) {
    CFMutableDataRef data = CFDataCreateMutable(NULL, 0);
    CFDataSetLength(data, count);
    memset(CFDataGetMutableBytePtr(data), byte, (size_t)count);
    return keep(data);
}

CFTypeRef number(SInt64 value) {
    return keep(CFNumberCreate(NULL, kCFNumberSInt64Type, &value));
}

CFTypeRef fraction(double value) {
    return keep(CFNumberCreate(NULL, kCFNumberDoubleType, &value));
}

CFTypeRef truth(bool value) {
    return value ? kCFBooleanTrue : kCFBooleanFalse;
}

CFTypeRef date(double seconds) {
    return keep(CFDateCreate(NULL, seconds));
}

CFTypeRef uuid(const char *text) {
    return keep(CFUUIDCreateFromString(NULL, name(text)));
}

CFTypeRef unrelated(void) {
    return keep(CFLocaleCopyCurrent());
}

CFTypeRef saved(const char *word) {
    CFTypeRef object = CFDictionaryGetValue(results, name(word));
    if (!object) die("no step saved that");
    return object;
}

CFTypeRef member(CFTypeRef object, const char *word) {
    if (CFGetTypeID(object) != CFDictionaryGetTypeID()) die("no dictionary");
    CFTypeRef value = CFDictionaryGetValue(object, name(word));
    if (!value) die("no such member");
    return value;
}

CFTypeRef dictionary(CFTypeRef base, const char *const *without, const struct pair *pairs) {
    if (base && CFGetTypeID(base) != CFDictionaryGetTypeID()) die("no dictionary");
    CFMutableDictionaryRef whole =
        base ? CFDictionaryCreateMutableCopy(NULL, 0, base)
             : CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
    for (; without && *without; without++) CFDictionaryRemoveValue(whole, name(*without));
    for (; pairs->key; pairs++) CFDictionarySetValue(whole, pairs->key, pairs->value);
    return keep(whole);
}

CFTypeRef array(const CFTypeRef *objects, CFIndex count) {
    return keep(CFArrayCreate(NULL, (const void **)objects, count, &kCFTypeArrayCallBacks));
}

CFTypeRef certificate(const UInt8 *bytes, CFIndex count) {
    return keep(SecCertificateCreateWithData(NULL, data(bytes, count)));
}

CFTypeRef key(const UInt8 *bytes, CFIndex count, SInt64 type, const char *half) {
    CFTypeRef attributes = DICTIONARY({kSecAttrKeyType, number(type)}, {kSecAttrKeyClass, name(half)}, );
    return keep(SecKeyCreateWithData(data(bytes, count), attributes, NULL));
}

CFTypeRef identity(CFTypeRef certificate, CFTypeRef key) {
    return keep(SecIdentityCreate(NULL, (SecCertificateRef)certificate, (SecKeyRef)key));
}

CFTypeRef mail_policy(CFTypeRef address) {
    CFTypeRef properties = address ? DICTIONARY({kSecPolicyName, address}, ) : DICTIONARY();
    return keep(SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, properties));
}

CFTypeRef access_control(CFTypeRef protection, SInt64 flags, const struct pair *constraints, bool requires_password) {
    SecAccessControlRef control =
        flags >= 0 ? SecAccessControlCreateWithFlags(NULL, protection, (SecAccessControlCreateFlags)flags, NULL)
                   : SecAccessControlCreate(NULL, NULL);
    keep(control);
    if (flags < 0 && protection && !SecAccessControlSetProtection(control, protection, NULL)) die("no protection");
    for (; constraints->key; constraints++)
        if (!SecAccessControlAddConstraintForOperation(control, constraints->key, constraints->value, NULL))
            die("no constraint");
    if (requires_password) SecAccessControlSetRequirePassword(control, true);
    return control;
}

/* MARK: What a result has to be */

static const char *kind(CFTypeRef object) {
    const struct {
        CFTypeID type;
        const char *name;
    } kinds[] = {
        {CFStringGetTypeID(), "string"},         {CFDataGetTypeID(), "data"},
        {CFNumberGetTypeID(), "number"},         {CFBooleanGetTypeID(), "number"},
        {CFDateGetTypeID(), "date"},             {CFDictionaryGetTypeID(), "dictionary"},
        {CFArrayGetTypeID(), "array"},           {SecAccessControlGetTypeID(), "accessControl"},
        {SecCertificateGetTypeID(), "certificate"}, {SecKeyGetTypeID(), "key"},
        {SecIdentityGetTypeID(), "identity"},    {SecKeychainItemGetTypeID(), "passwordReference"},
    };
    for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index++)
        if (CFGetTypeID(object) == kinds[index].type) return kinds[index].name;
    return "?";
}

static double value_of(CFTypeRef number) {
    double value = 0;
    if (CFGetTypeID(number) == CFBooleanGetTypeID()) return CFBooleanGetValue(number);
    CFNumberGetValue(number, kCFNumberDoubleType, &value);
    return value;
}

/* By kind and by content, as Tests/ConformanceTests/Comparison.swift has it: a truth value is a number. */
static bool same(CFTypeRef left, CFTypeRef right) {
    if (strcmp(kind(left), kind(right)) != 0) return false;
    if (strcmp(kind(left), "number") == 0) return value_of(left) == value_of(right);
    if (CFGetTypeID(left) == CFDictionaryGetTypeID()) {
        CFIndex count = CFDictionaryGetCount(left);
        if (count != CFDictionaryGetCount(right)) return false;
        const void *keys[count + 1], *values[count + 1];
        CFDictionaryGetKeysAndValues(left, keys, values);
        for (CFIndex index = 0; index < count; index++) {
            CFTypeRef other = CFDictionaryGetValue(right, keys[index]);
            if (!other || !same(values[index], other)) return false;
        }
        return true;
    }
    if (CFGetTypeID(left) == CFArrayGetTypeID()) {
        if (CFArrayGetCount(left) != CFArrayGetCount(right)) return false;
        for (CFIndex index = 0; index < CFArrayGetCount(left); index++)
            if (!same(CFArrayGetValueAtIndex(left, index), CFArrayGetValueAtIndex(right, index))) return false;
        return true;
    }
    return CFEqual(left, right);
}

static const char *complaint(CFTypeRef object, const struct expected *expected);

static const char *of_dictionary(CFTypeRef object, const struct expected *expected) {
    static char words[200];
    if (CFGetTypeID(object) != CFDictionaryGetTypeID()) return "no dictionary";
    CFIndex count = 0;
    for (const char *const *key = expected->keys; key && *key; key++, count++)
        if (!CFDictionaryContainsKey(object, name(*key))) return snprintf(words, sizeof words, "no %s", *key), words;
    if (expected->keys && count != CFDictionaryGetCount(object)) return "more keys than expected";
    for (const char *const *key = expected->absent; key && *key; key++)
        if (CFDictionaryContainsKey(object, name(*key))) return snprintf(words, sizeof words, "has %s", *key), words;
    for (const struct member_expected *member = expected->members; member && member->name; member++) {
        const char *wrong = complaint(CFDictionaryGetValue(object, name(member->name)), member->expected);
        if (!wrong) continue;
        char whole[200];
        snprintf(whole, sizeof whole, "%s: %s", member->name, wrong);
        strcpy(words, whole);
        return words;
    }
    return NULL;
}

static const char *of_array(CFTypeRef object, const struct expected *expected) {
    if (CFGetTypeID(object) != CFArrayGetTypeID()) return "no array";
    CFIndex count = 0, there = CFArrayGetCount(object);
    while (expected->elements[count]) count++;
    if (there != count) return "another number of elements";
    bool taken[count + 1];
    memset(taken, 0, sizeof taken);
    for (CFIndex index = 0; index < count; index++) {
        if (!expected->any_order) {
            const char *wrong = complaint(CFArrayGetValueAtIndex(object, index), expected->elements[index]);
            if (wrong) return wrong;
            continue;
        }
        CFIndex found = 0;
        while (found < count && (taken[found] || complaint(CFArrayGetValueAtIndex(object, found), expected->elements[index])))
            found++;
        if (found == count) return "nothing fits an element";
        taken[found] = true;
    }
    return NULL;
}

static const char *of_data(CFTypeRef object, const struct expected *expected) {
    if (CFGetTypeID(object) != CFDataGetTypeID()) return "no data";
    size_t prefix = strlen(expected->word), count = (size_t)CFDataGetLength(object);
    const UInt8 *bytes = CFDataGetBytePtr(object);
    if (count != (size_t)expected->count || count < prefix || memcmp(bytes, expected->word, prefix) != 0)
        return "another shape";
    if (!expected->value) return NULL;
    bool is_same = (size_t)CFDataGetLength(expected->value) == count &&
                   memcmp(bytes + prefix, CFDataGetBytePtr(expected->value) + prefix, count - prefix) == 0;
    return is_same ? NULL : "another rest";
}

/* NULL when it is as expected; names parts and kinds, never values. */
static const char *complaint(CFTypeRef object, const struct expected *expected) {
    if (expected->what == is_null) return object ? "is there" : NULL;
    if (!object) return "is missing";
    switch (expected->what) {
    case equals: return same(object, expected->value) ? NULL : "is another";
    case differs: return same(object, expected->value) ? "is unchanged" : NULL;
    case later:
        return CFGetTypeID(object) == CFDateGetTypeID() && CFDateCompare(object, expected->value, NULL) > 0 ? NULL : "not later";
    case of_kind: return strcmp(kind(object), expected->word) == 0 ? NULL : "is of another kind";
    case of_bytes: return of_data(object, expected);
    case of_members: return of_dictionary(object, expected);
    case of_elements: return of_array(object, expected);
    default: break;
    }
    if (CFGetTypeID(object) != CFArrayGetTypeID()) return "no array";
    CFIndex count = CFArrayGetCount(object);
    return (expected->what == counts ? count == expected->count : count <= expected->count) ? NULL : "another number";
}

/* MARK: Steps */

static struct reply reply_of(OSStatus status, CFTypeRef result) {
    return (struct reply){status, result ? keep(result) : NULL};
}

struct reply add(CFTypeRef attributes, bool wants_result) {
    CFTypeRef result = NULL;
    OSStatus status = SecItemAdd(attributes, wants_result ? &result : NULL);
    return reply_of(status, result);
}

struct reply copy(CFTypeRef query, bool wants_result) {
    CFTypeRef result = NULL;
    OSStatus status = SecItemCopyMatching(query, wants_result ? &result : NULL);
    return reply_of(status, result);
}

struct reply update(CFTypeRef query, CFTypeRef attributes) {
    return reply_of(SecItemUpdate(query, attributes), NULL);
}

struct reply delete(CFTypeRef query) {
    return reply_of(SecItemDelete(query), NULL);
}

struct reply made(CFTypeRef object, CFErrorRef error) {
    OSStatus status = error ? (OSStatus)CFErrorGetCode(error) : object ? errSecSuccess : errSecInternal;
    if (error) CFRelease(error);
    return reply_of(status, object);
}

struct reply given(CFTypeRef object) {
    return reply_of(errSecSuccess, object);
}

struct reply lent(CFTypeRef object) {
    return reply_of(errSecSuccess, object ? CFRetain(object) : NULL);
}

struct reply done(bool succeeded, CFErrorRef error) {
    return succeeded ? reply_of(errSecSuccess, NULL) : made(NULL, error);
}

struct reply pair_of(CFTypeRef parameters) {
    SecKeyRef public_key = NULL, private_key = NULL;
    OSStatus status = SecKeyGeneratePair(parameters, &public_key, &private_key);
    if (status != errSecSuccess || !public_key || !private_key) return reply_of(status, NULL);
    CFTypeRef both = DICTIONARY({name("public"), keep(public_key)}, {name("private"), keep(private_key)}, );
    return (struct reply){status, both};
}

struct reply parts_of(CFTypeRef identity) {
    SecCertificateRef certificate = NULL;
    SecKeyRef key = NULL;
    OSStatus status = SecIdentityCopyCertificate((SecIdentityRef)identity, &certificate);
    OSStatus other = SecIdentityCopyPrivateKey((SecIdentityRef)identity, &key);
    if (!certificate || !key) return reply_of(status != errSecSuccess ? status : other, NULL);
    return (struct reply){other, DICTIONARY({name("certificate"), keep(certificate)}, {name("key"), keep(key)}, )};
}

bool step(const char *place, struct reply reply, OSStatus status, const struct expected *expected, const char *save) {
    const char *wrong = NULL;
    if (reply.status != status) {
        fprintf(stderr, "%s: %d instead of %d\n", place, (int)reply.status, (int)status);
        failed = true;
        return false;
    }
    if (status != errSecSuccess && reply.result) wrong = "a failure has a result";
    if (!wrong && expected) wrong = complaint(reply.result, expected);
    if (wrong) {
        fprintf(stderr, "%s: the result: %s\n", place, wrong);
        failed = true;
    }
    if (save && !reply.result) {
        fprintf(stderr, "%s: nothing to save\n", place);
        failed = true;
        return false;
    }
    if (save) CFDictionarySetValue(results, name(save), reply.result);
    return true;
}

/* The file is replaced whole, for the daemon looks at it before each call. */
void declare_rights(const char *entries) {
    const char *path = getenv("ROWS_RIGHTS");
    char program[4096] = "", other[4096];
    if (!path || readlink("/proc/self/exe", program, sizeof program - 1) < 0) die("no daemon believes what it declares");
    snprintf(other, sizeof other, "%s.new", path);
    FILE *file = fopen(other, "w");
    if (!file) die("the rights cannot be written");
    fprintf(file, "<plist version=\"1.0\"><dict><key>match</key><dict><key>path</key><string>%s</string></dict>%s</dict></plist>",
            program, entries);
    if (fclose(file) != 0 || rename(other, path) != 0) die("the rights cannot be written");
}

int main(int count, char **arguments) {
    if (count == 1)
        for (const struct row *row = rows; row->name; row++) puts(row->name);
    if (count != 2) return count == 1 ? EXIT_SUCCESS : 2;
    for (const struct row *row = rows; row->name; row++) {
        if (strcmp(row->name, arguments[1]) != 0) continue;
        kept = CFArrayCreateMutable(NULL, 0, &kCFTypeArrayCallBacks);
        results = CFDictionaryCreateMutable(NULL, 0, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
        row->run();
        CFRelease(results);
        CFRelease(kept);
        return failed ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    fprintf(stderr, "there is no row %s\n", arguments[1]);
    return 2;
}
