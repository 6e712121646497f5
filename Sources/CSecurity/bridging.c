/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a client's objects and makes those that it is given, always with Core Foundation's own functions: a container that
   Swift made crashes a client that looks into it. */
#include <string.h>

#include "CSecurity.h"
#include "core-foundation.h"

bool csec_boolean_value(const void *boolean) {
    return CFBooleanGetValue(boolean) != 0;
}

double csec_date_value(const void *date) {
    return CFDateGetAbsoluteTime(date);
}

void csec_uuid_value(const void *uuid, uint8_t bytes[16]) {
    CFUUIDBytes value = CFUUIDGetUUIDBytes(uuid);
    memcpy(bytes, value.bytes, 16);
}

const char *csec_ascii(const void *string, size_t *count) {
    const char *text = CFStringGetCStringPtr(string, kCFStringEncodingASCII);
    if (text) *count = (size_t)CFStringGetLength(string);
    return text;
}

size_t csec_array_count(const void *array) {
    return (size_t)CFArrayGetCount(array);
}

void csec_array_values(const void *array, size_t count, const void **values) {
    for (size_t index = 0; index < count; index++) values[index] = CFArrayGetValueAtIndex(array, (CFIndex)index);
}

size_t csec_dictionary_count(const void *dictionary) {
    return (size_t)CFDictionaryGetCount(dictionary);
}

void csec_dictionary_entries(const void *dictionary, const void **keys, const void **values) {
    CFDictionaryGetKeysAndValues(dictionary, keys, values);
}

const void *csec_string(const char *utf8, size_t count) {
    return CFStringCreateWithBytes(NULL, (const uint8_t *)utf8, (CFIndex)count, kCFStringEncodingUTF8, 0);
}

const void *csec_string_of_units(const uint16_t *units, size_t count) {
    return CFStringCreateWithCharacters(NULL, units, (CFIndex)count);
}

const void *csec_data(const void *bytes, size_t count) {
    return CFDataCreate(NULL, bytes, (CFIndex)count);
}

const void *csec_integer(int64_t value) {
    return CFNumberCreate(NULL, kCFNumberSInt64Type, &value);
}

const void *csec_double(double value) {
    return CFNumberCreate(NULL, kCFNumberFloat64Type, &value);
}

const void *csec_boolean(bool value) {
    return CFRetain(value ? kCFBooleanTrue : kCFBooleanFalse);
}

const void *csec_date(double since_2001) {
    return CFDateCreate(NULL, since_2001);
}

const void *csec_null(void) {
    return CFRetain(kCFNull);
}

const void *csec_uuid(const uint8_t bytes[16]) {
    CFUUIDBytes value;
    memcpy(value.bytes, bytes, 16);
    return CFUUIDCreateFromUUIDBytes(NULL, value);
}

const void *csec_array(const void *const *values, size_t count) {
    return CFArrayCreate(NULL, (const void **)values, (CFIndex)count, kCFTypeArrayCallBacks);
}

const void *csec_dictionary(const void *const *keys, const void *const *values, size_t count) {
    return CFDictionaryCreate(
        NULL, (const void **)keys, (const void **)values, (CFIndex)count, kCFTypeDictionaryKeyCallBacks,
        kCFTypeDictionaryValueCallBacks);
}

const void *csec_error(const void *domain, intptr_t code, const void *information) {
    return CFErrorCreate(NULL, domain, code, information);
}

void csec_retain(const void *object) {
    CFRetain(object);
}

void csec_release(const void *object) {
    CFRelease(object);
}
