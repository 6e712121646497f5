// SPDX-License-Identifier: Apache-2.0

#ifndef LLV_CSQLITE_SHIM_H
#define LLV_CSQLITE_SHIM_H

#include <errno.h>
#include <sqlite3.h>
#include <stdint.h>

// SQLITE_TRANSIENT is the number -1 cast to a function pointer; Swift imports no such macro. SQLite copies the bytes.
static inline int llv_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, uint64_t count) {
    // A null pointer would bind NULL; an empty text is not NULL.
    return sqlite3_bind_text64(statement, index, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// The same macro, for blobs.
static inline int llv_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, uint64_t count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

// SQLITE_STATIC: SQLite copies nothing, so the bytes stay as they are until the parameter is bound anew.
static inline int llv_sqlite_bind_kept_text(sqlite3_stmt *statement, int index, const char *text, uint64_t count) {
    return sqlite3_bind_text64(statement, index, text ? text : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

// The same for blobs.
static inline int llv_sqlite_bind_kept_blob(sqlite3_stmt *statement, int index, const void *bytes, uint64_t count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_STATIC);
}

// sqlite3_db_config is variadic. This is its form for the options that are on or off.
static inline int llv_sqlite_set_option(sqlite3 *database, int option, int on) {
    return sqlite3_db_config(database, option, on, (int *)0);
}

// sqlite3_file_control takes whatever the operation wants as void *. This is the one that reads a number which
// changes with every commit another connection makes. 0 when there is none.
static inline uint32_t llv_sqlite_data_version(sqlite3 *database) {
    uint32_t version = 0;
    return sqlite3_file_control(database, "main", SQLITE_FCNTL_DATA_VERSION, &version) == SQLITE_OK ? version : 0;
}

// The same for how many bytes at the end of each page are left free; it counts until the database has its first page, and for
// the target of a VACUUM INTO.
static inline int llv_sqlite_reserve(sqlite3 *database, int count) {
    return sqlite3_file_control(database, "main", SQLITE_FCNTL_RESERVE_BYTES, &count);
}

// What a call on the database's file or its log's last failed with, when that says something of the disk; else 0. SQLite
// says "corrupt" of a read that fails with EIO, and loses the number when a commit fails, but keeps it with each file.
static inline int llv_sqlite_failure_of_disk(sqlite3 *database) {
    int numbers[2] = {0, 0};
    (void)sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &numbers[0]);
    sqlite3_file *log = 0;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log != 0
        && log->pMethods != 0) {
        (void)log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &numbers[1]);
    }
    for (int index = 1; index >= 0; index--) {
        switch (numbers[index]) {
        case EIO: case ENXIO: case ENOSPC: case EDQUOT: case EFBIG: case EROFS: return numbers[index];
        default: break;
        }
    }
    return 0;
}

#endif
