/* SPDX-License-Identifier: Apache-2.0 */
/* Has Foundation loaded, in which Core Foundation is, and nothing of ours. */
#include <CoreFoundation/CoreFoundation.h>

int main(void) {
    CFRelease(CFDataCreate(NULL, (const UInt8 *)"sesame", 6));
    return 0;
}
