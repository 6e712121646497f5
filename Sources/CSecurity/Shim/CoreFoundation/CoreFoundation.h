/* SPDX-License-Identifier: Apache-2.0 */
/* Stands before the CoreFoundation.h of Swift's toolchain, which this includes: gcc knows no "__LITTLE_ENDIAN__", and one of
   the private headers that it includes wants blocks. */
#ifndef LLAVERO_COREFOUNDATION_H
#define LLAVERO_COREFOUNDATION_H

#if defined(__BYTE_ORDER__) && !defined(__LITTLE_ENDIAN__) && !defined(__BIG_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define __LITTLE_ENDIAN__ 1
#else
#define __BIG_ENDIAN__ 1
#endif
#endif
#ifndef __COREFOUNDATION_FORSWIFTFOUNDATIONONLY__
#define __COREFOUNDATION_FORSWIFTFOUNDATIONONLY__ 1
#endif

#if defined(__GNUC__)
#pragma GCC system_header
#endif
#include_next <CoreFoundation/CoreFoundation.h>

/* With clang's -fcf-runtime-abi=swift the compiler makes constant strings: they may stand outside functions, and be more than
   ASCII. A header cannot see that option, so it is asked for. */
#if defined(SECURITY_BUILTIN_CFSTR) && defined(__clang__)
#undef CFSTR
#define CFSTR(string) ((CFStringRef)__builtin___CFStringMakeConstantString("" string ""))
#endif

#endif
