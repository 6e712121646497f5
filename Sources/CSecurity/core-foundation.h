/* SPDX-License-Identifier: Apache-2.0 */
/* What this target calls of Core Foundation. SwiftPM puts the toolchain's own headers on no C target's path. */
#ifndef LLAVERO_CORE_FOUNDATION_H
#define LLAVERO_CORE_FOUNDATION_H

#include <stdint.h>

typedef const void *CFTypeRef;
typedef uintptr_t CFTypeID, CFHashCode;
typedef intptr_t CFIndex;
typedef unsigned char Boolean;

typedef struct {
    uint8_t bytes[16];
} CFUUIDBytes;

/* The layout of CFRuntime.h, which is exported and stable but not public. */
typedef struct {
    CFIndex version;
    const char *name;
    void (*init)(CFTypeRef object);
    CFTypeRef (*copy)(CFTypeRef allocator, CFTypeRef object);
    void (*finalize)(CFTypeRef object);
    Boolean (*equal)(CFTypeRef object, CFTypeRef other);
    CFHashCode (*hash)(CFTypeRef object);
    CFTypeRef (*copy_formatting)(CFTypeRef object, CFTypeRef options);
    CFTypeRef (*copy_description)(CFTypeRef object);
    void (*reclaim)(CFTypeRef object);
    uint32_t (*reference_count)(intptr_t operation, CFTypeRef object);
    uintptr_t alignment;
} CFRuntimeClass;

enum { kCFStringEncodingASCII = 0x0600, kCFStringEncodingUTF8 = 0x08000100 };
enum { kCFNumberSInt64Type = 4, kCFNumberFloat64Type = 6 };

extern CFTypeID CFGetTypeID(CFTypeRef object);
extern CFTypeRef CFRetain(CFTypeRef object);
extern void CFRelease(CFTypeRef object);
extern CFTypeID CFStringGetTypeID(void), CFDataGetTypeID(void), CFNumberGetTypeID(void), CFBooleanGetTypeID(void);
extern CFTypeID CFDateGetTypeID(void), CFArrayGetTypeID(void), CFDictionaryGetTypeID(void);
extern CFTypeID CFUUIDGetTypeID(void);
extern CFTypeID _CFRuntimeRegisterClass(const CFRuntimeClass *description);
extern CFTypeRef _CFRuntimeCreateInstance(CFTypeRef allocator, CFTypeID type, CFIndex extra, unsigned char *category);

extern Boolean CFBooleanGetValue(CFTypeRef boolean);
extern double CFDateGetAbsoluteTime(CFTypeRef date);
extern CFUUIDBytes CFUUIDGetUUIDBytes(CFTypeRef uuid);
extern const char *CFStringGetCStringPtr(CFTypeRef string, uint32_t encoding);
extern CFIndex CFStringGetLength(CFTypeRef string);
extern CFIndex CFArrayGetCount(CFTypeRef array);
extern CFTypeRef CFArrayGetValueAtIndex(CFTypeRef array, CFIndex index);
extern CFIndex CFDictionaryGetCount(CFTypeRef dictionary);
extern void CFDictionaryGetKeysAndValues(CFTypeRef dictionary, const void **keys, const void **values);

extern CFTypeRef CFStringCreateWithBytes(
    CFTypeRef allocator, const uint8_t *bytes, CFIndex count, uint32_t encoding, Boolean has_mark);
extern CFTypeRef CFStringCreateWithCharacters(CFTypeRef allocator, const uint16_t *units, CFIndex count);
extern CFTypeRef CFDataCreate(CFTypeRef allocator, const uint8_t *bytes, CFIndex count);
extern CFTypeRef CFNumberCreate(CFTypeRef allocator, CFIndex type, const void *value);
extern CFTypeRef CFDateCreate(CFTypeRef allocator, double since_2001);
extern CFTypeRef CFUUIDCreateFromUUIDBytes(CFTypeRef allocator, CFUUIDBytes bytes);
extern CFTypeRef CFArrayCreate(CFTypeRef allocator, const void **values, CFIndex count, const void *callbacks);
extern CFTypeRef CFDictionaryCreate(
    CFTypeRef allocator, const void **keys, const void **values, CFIndex count, const void *of_keys,
    const void *of_values);
extern CFTypeRef CFErrorCreate(CFTypeRef allocator, CFTypeRef domain, CFIndex code, CFTypeRef information);
extern CFTypeRef CFSetCreateMutable(CFTypeRef allocator, CFIndex capacity, const void *callbacks);
extern CFTypeRef CFSetGetValue(CFTypeRef set, CFTypeRef value);
extern void CFSetAddValue(CFTypeRef set, CFTypeRef value);

extern const CFTypeRef kCFBooleanTrue, kCFBooleanFalse, kCFNull, kCFAllocatorDefault;
extern const char kCFTypeArrayCallBacks[], kCFTypeSetCallBacks[];
extern const char kCFTypeDictionaryKeyCallBacks[], kCFTypeDictionaryValueCallBacks[];

#endif
