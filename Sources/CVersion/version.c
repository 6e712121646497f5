// SPDX-License-Identifier: Apache-2.0

#include "CVersion.h"

// The one place of the version; Scripts/version.sh reads this line for packages, the archive and the tests.
#define LLAVERO_VERSION "0.1.0"

// What Scripts/stamp.sh looks for in a program: texts of a fixed length, each behind a name that stands nowhere else.
#define VERSION_NAME "llavero-version="
#define COMMIT_NAME "llavero-commit="
static const char version[] = VERSION_NAME LLAVERO_VERSION;
static const char commit[] = COMMIT_NAME "----------------------------------------";

const char *llv_version(void) { return version + sizeof VERSION_NAME - 1; }

const char *llv_commit(void) { return commit + sizeof COMMIT_NAME - 1; }
