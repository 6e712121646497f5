// SPDX-License-Identifier: Apache-2.0
//
// Which version the programs are. In a C file, because Scripts/stamp.sh writes the commit into programs that are built already:
// a compiler that saw the text could copy it to other places.

#ifndef LLV_CVERSION_H
#define LLV_CVERSION_H

#pragma clang assume_nonnull begin

/// The version, such as 0.1.0.
const char *llv_version(void);

/// The commit, with hyphens behind it; hyphens alone in a program that was not installed.
const char *llv_commit(void);

#pragma clang assume_nonnull end

#endif
