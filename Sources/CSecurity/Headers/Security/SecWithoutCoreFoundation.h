/* SPDX-License-Identifier: Apache-2.0 */
/* The few types that these headers take of Core Foundation's, for sources that are compiled without its headers. */
#ifndef SECURITY_SECWITHOUTCOREFOUNDATION_H
#define SECURITY_SECWITHOUTCOREFOUNDATION_H

#include <stdint.h>

typedef const void *CFTypeRef;
typedef const struct __CFAllocator *CFAllocatorRef;
typedef const struct __CFArray *CFArrayRef;
typedef const struct __CFData *CFDataRef;
typedef const struct __CFDate *CFDateRef;
typedef const struct __CFDictionary *CFDictionaryRef;
typedef const struct __CFString *CFStringRef;
typedef struct __CFError *CFErrorRef;
typedef unsigned long CFTypeID, CFOptionFlags, CFHashCode;
typedef signed long CFIndex;
typedef double CFAbsoluteTime;
typedef unsigned char Boolean, UInt8;
typedef int32_t SInt32, OSStatus;
typedef uint16_t UInt16;
typedef uint32_t UInt32, FourCharCode;

#endif
