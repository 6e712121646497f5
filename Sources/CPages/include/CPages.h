// SPDX-License-Identifier: Apache-2.0

#ifndef LLV_CPAGES_H
#define LLV_CPAGES_H

#include <stdint.h>

// Sums in the pages of a database, below SQLite. `Docs/FileFormat.md` ("Pages") has the bytes.
//
// Connections that name the file layer "llavero" have each page of such a database verified when it is read from the disk, and
// each page of its log with the sums that SQLite writes there and does not look at again. A page that is not what was written
// fails with SQLITE_IOERR_DATA. Databases without sums are read and written as ever.

// Makes the file layer known to SQLite, once for the process. An SQLite code.
int llv_pages_register(void);

// What is asked of the file layer of one connection, by sqlite3_file_control on "main".
enum {
    // int *: not 0 has this connection read pages of the file as they are, whatever their sums say; those of the log it compares.
    LLV_PAGES_TRUST = 0x4c4c5601,
    // struct llv_pages_examined *: reads every page of the file and counts those that are not what was written. The caller is in
    // a transaction. What is in the log counts as it lies there, not here.
    LLV_PAGES_EXAMINE = 0x4c4c5602,
    // struct llv_pages_examined *: writes the sums of all those pages anew and syncs the file. The caller has the database alone,
    // without a log, and knows that the pages are right.
    LLV_PAGES_RENEW = 0x4c4c5603,
    // struct llv_pages_examined *: the same as LLV_PAGES_EXAMINE with each `step`th page alone, from the number `first` on.
    LLV_PAGES_SAMPLE = 0x4c4c5604,
};

// Whether a page, by its number from 1, is what was written as a page with a sum; makes the sum of one. A page has 4096 bytes. For
// who reads the file without SQLite.
int llv_pages_is_right(const unsigned char *page, uint32_t number);
int llv_pages_is_marked(const unsigned char *page);
void llv_pages_seal(unsigned char *page, uint32_t number);

struct llv_pages_examined {
    // What to look at, of a sample; both are at least 1.
    uint32_t first;
    uint32_t step;
    // Whether the database has sums.
    int has_sums;
    uint32_t pages;
    uint32_t damaged;
};

#endif
