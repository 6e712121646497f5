/* SPDX-License-Identifier: Apache-2.0 */
/* Has the library loaded, and calls nothing of it. */
#include <Security/Security.h>

int main(void) { return *(const CFStringRef volatile *)&kSecClass == NULL; }
