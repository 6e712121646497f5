// SPDX-License-Identifier: Apache-2.0

#include "CPages.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

// A page ends with a mark and, behind it, a sum of its number and all of its bytes before. The mark is how a database is known to
// have sums, beside the header's byte 20: one changed byte cannot switch them off.
enum {
    page_size = 4096,
    reserved = 16,
    mark_at = page_size - reserved,
    sum_at = page_size - 8,
    header_reserved_at = 20,
    header_pages_at = 28,
};
static const unsigned char mark[8] = {'L', 'v', 'P', 'a', 'g', 'e', 0, 1};

// The log, as SQLite's file format has it.
enum {
    log_header_size = 32,
    // Two numbers, which every frame has again that was written since the log was begun anew.
    log_salts_at = 16,
    frame_salts_at = 8,
    frame_header_size = 24,
    frame_size = frame_header_size + page_size,
    // In its header: the sum of the header itself; in a frame's: the sum of all frames up to this one.
    log_header_sum_at = 24,
    frame_sum_at = 16,
};

// A failed sum may be a page that another process is just writing.
enum { attempts = 4, pause_in_us = 500 };

enum sums { sums_unknown, sums_none, sums_kept };

// An open database or log. The file of the layer below lies behind it.
struct pages_file {
    sqlite3_file base;
    // Of a log: its database. Of a database: its log, while that is open.
    struct pages_file *other;
    enum sums sums;
    // Of a database: LLV_PAGES_TRUST.
    int trust;
    // Of a database: whether this connection has written to it and still has its lock.
    int is_written;
    // Of a log: the first frame that this connection has written and not committed, counted from 1. SQLite writes such frames again
    // and makes their sums in the end, so they are not verified.
    uint32_t own_frames;
    // Of a log: its header, once read.
    unsigned char header[32];
    int has_header;
    // What the last page held that was not what was written, by its sum: a page that is still the same is not waited for again.
    uint64_t failed;
};

static sqlite3_vfs *below;
static sqlite3_vfs layer;
static int registered;
static const sqlite3_io_methods database_methods;
static const sqlite3_io_methods log_methods;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((char *)file + sizeof(struct pages_file)); }

static struct pages_file *pages(sqlite3_file *file) { return (struct pages_file *)file; }

static uint32_t big_endian(const unsigned char *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t little_endian(const unsigned char *bytes) {
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

static uint64_t word(const unsigned char *bytes) {
    return (uint64_t)little_endian(bytes + 4) << 32 | little_endian(bytes);
}

// The sum: XXH64 with the page's number as its seed. It finds what a disk does to a page, and a page in another's place; who wants to
// change a page can make its sum too, and meets the items' seals.
static const uint64_t prime1 = 0x9e3779b185ebca87u, prime2 = 0xc2b2ae3d27d4eb4fu, prime3 = 0x165667b19e3779f9u;
static const uint64_t prime4 = 0x85ebca77c2b2ae63u;

static uint64_t turned(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

static uint64_t mixed(uint64_t lane, uint64_t input) { return turned(lane + input * prime2, 31) * prime1; }

// Of `count` bytes, at least 32 and a multiple of eight.
static uint64_t sum(const unsigned char *bytes, size_t count, uint64_t seed) {
    uint64_t lanes[4] = {seed + prime1 + prime2, seed + prime2, seed, seed - prime1};
    size_t at = 0;
    for (; at + 32 <= count; at += 32) {
        for (int lane = 0; lane < 4; lane++) lanes[lane] = mixed(lanes[lane], word(bytes + at + 8 * lane));
    }
    uint64_t result = turned(lanes[0], 1) + turned(lanes[1], 7) + turned(lanes[2], 12) + turned(lanes[3], 18);
    for (int lane = 0; lane < 4; lane++) result = (result ^ mixed(0, lanes[lane])) * prime1 + prime4;
    result += count;
    for (; at < count; at += 8) result = turned(result ^ mixed(0, word(bytes + at)), 27) * prime1 + prime4;
    result = (result ^ result >> 33) * prime2;
    result = (result ^ result >> 29) * prime3;
    return result ^ result >> 32;
}

static int is_page(int count, sqlite3_int64 offset) { return count == page_size && offset % page_size == 0; }

static uint32_t number(sqlite3_int64 offset) { return (uint32_t)(offset / page_size + 1); }

static int is_marked(const unsigned char *page) { return memcmp(page + mark_at, mark, sizeof mark) == 0; }

static int is_right(const unsigned char *page, uint32_t number) {
    return is_marked(page) && word(page + sum_at) == sum(page, sum_at, number);
}

static void seal(unsigned char *page, uint32_t number) {
    memcpy(page + mark_at, mark, sizeof mark);
    uint64_t value = sum(page, sum_at, number);
    for (int at = 0; at < 8; at++) page[sum_at + at] = (unsigned char)(value >> (8 * at));
}

int llv_pages_is_right(const unsigned char *page, uint32_t number) { return is_right(page, number); }
int llv_pages_is_marked(const unsigned char *page) { return is_marked(page); }
void llv_pages_seal(unsigned char *page, uint32_t number) { seal(page, number); }

static void pause_for_writer(void) { below->xSleep(below, pause_in_us); }

// The database

// Finds out from its first page whether a database has sums; that of an empty file is not known yet.
static int decide(sqlite3_file *file) {
    unsigned char page[page_size];
    int code = real(file)->pMethods->xRead(real(file), page, page_size, 0);
    if (code == SQLITE_IOERR_SHORT_READ) return SQLITE_OK;
    if (code != SQLITE_OK) return code;
    pages(file)->sums = page[header_reserved_at] == reserved || is_marked(page) ? sums_kept : sums_none;
    return SQLITE_OK;
}

// Whether a page is missing that the file should have: its header says how many there are. A page behind those is one that the
// transaction under way has made and not written.
static int is_cut(sqlite3_file *file, sqlite3_int64 offset) {
    unsigned char count[4];
    if (pages(file)->is_written) return 0;
    int code = real(file)->pMethods->xRead(real(file), count, sizeof count, header_pages_at);
    return code == SQLITE_OK && number(offset) <= big_endian(count);
}

static int read_database(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
    if (pages(file)->sums == sums_unknown) {
        int code = decide(file);
        if (code != SQLITE_OK) return code;
    }
    for (int attempt = 1;; attempt++) {
        int code = real(file)->pMethods->xRead(real(file), buffer, count, offset);
        // Parts of the header are read without a lock, and believed only once the page was read with one.
        if (pages(file)->sums != sums_kept || pages(file)->trust != 0 || !is_page(count, offset)) return code;
        if (code == SQLITE_IOERR_SHORT_READ ? !is_cut(file, offset)
                                            : code != SQLITE_OK || is_right(buffer, number(offset))) {
            return code;
        }
        uint64_t held = sum(buffer, page_size, number(offset));
        if (attempt == attempts || pages(file)->failed == held) {
            pages(file)->failed = held;
            return SQLITE_IOERR_DATA;
        }
        pause_for_writer();
    }
}

static int write_database(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
    pages(file)->is_written = 1;
    if (!is_page(count, offset)) return real(file)->pMethods->xWrite(real(file), buffer, count, offset);
    // The first page of a new database says how the others are.
    if (offset == 0) {
        pages(file)->sums = ((const unsigned char *)buffer)[header_reserved_at] == reserved ? sums_kept : sums_none;
    } else if (pages(file)->sums == sums_unknown) {
        int code = decide(file);
        if (code != SQLITE_OK) return code;
    }
    if (pages(file)->sums != sums_kept) return real(file)->pMethods->xWrite(real(file), buffer, count, offset);
    unsigned char page[page_size];
    memcpy(page, buffer, page_size);
    seal(page, number(offset));
    return real(file)->pMethods->xWrite(real(file), page, page_size, offset);
}

// Whether a committed frame of the log has the page: then what the file has of it does not count, and may be half written.
static int is_in_log(struct pages_file *log, uint32_t page) {
    sqlite3_file *file = real(&log->base);
    unsigned char header[log_header_size], frame[frame_header_size];
    if (file->pMethods->xRead(file, header, sizeof header, 0) != SQLITE_OK) return 0;
    int is_found = 0, is_committed = 0;
    for (sqlite3_int64 at = log_header_size;; at += frame_size) {
        if (file->pMethods->xRead(file, frame, sizeof frame, at) != SQLITE_OK) break;
        // Frames of before the log was begun anew have other salts.
        if (memcmp(frame + frame_salts_at, header + log_salts_at, 8) != 0) break;
        if (big_endian(frame) == page) is_found = 1;
        if (big_endian(frame + 4) != 0) is_committed = is_found;
    }
    return is_committed;
}

static int examine(sqlite3_file *file, struct llv_pages_examined *result, int renews, uint32_t first, uint32_t step) {
    *result = (struct llv_pages_examined){0};
    if (pages(file)->sums == sums_unknown) {
        int code = decide(file);
        if (code != SQLITE_OK) return code;
    }
    result->has_sums = pages(file)->sums == sums_kept;
    if (!result->has_sums) return SQLITE_OK;
    sqlite3_int64 size = 0;
    int code = real(file)->pMethods->xFileSize(real(file), &size);
    if (code != SQLITE_OK) return code;
    unsigned char page[page_size];
    const sqlite3_int64 stride = (sqlite3_int64)page_size * step;
    for (sqlite3_int64 offset = (sqlite3_int64)page_size * (first - 1); offset + page_size <= size; offset += stride) {
        result->pages++;
        for (int attempt = 1;; attempt++) {
            code = real(file)->pMethods->xRead(real(file), page, page_size, offset);
            if (code != SQLITE_OK) return code;
            if (is_right(page, number(offset))) break;
            if (attempt < attempts && !renews) {
                pause_for_writer();
                continue;
            }
            if (pages(file)->other != 0 && is_in_log(pages(file)->other, number(offset))) break;
            result->damaged++;
            if (!renews) break;
            seal(page, number(offset));
            code = real(file)->pMethods->xWrite(real(file), page, page_size, offset);
            if (code != SQLITE_OK) return code;
            break;
        }
    }
    return renews ? real(file)->pMethods->xSync(real(file), SQLITE_SYNC_FULL) : SQLITE_OK;
}

static int control_database(sqlite3_file *file, int operation, void *argument) {
    switch (operation) {
    case LLV_PAGES_TRUST: pages(file)->trust = *(int *)argument; return SQLITE_OK;
    case LLV_PAGES_EXAMINE: return examine(file, argument, 0, 1, 1);
    case LLV_PAGES_RENEW: return examine(file, argument, 1, 1, 1);
    case LLV_PAGES_SAMPLE: {
        const struct llv_pages_examined *wanted = argument;
        if (wanted->first == 0 || wanted->step == 0) return SQLITE_MISUSE;
        return examine(file, argument, 0, wanted->first, wanted->step);
    }
    default: return real(file)->pMethods->xFileControl(real(file), operation, argument);
    }
}

static int lock_shared_memory(sqlite3_file *file, int offset, int count, int flags) {
    // With a log, only who folds it in writes to the database.
    if ((flags & SQLITE_SHM_UNLOCK) != 0) pages(file)->is_written = 0;
    // Whoever gives back the lock of writers has committed what it wrote to the log, or does not want it.
    if (offset == 0 && flags == (SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE) && pages(file)->other != 0) {
        pages(file)->other->own_frames = 0;
    }
    return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

// A mapped page would not be read here.
static int fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **memory) {
    (void)file, (void)offset, (void)count;
    *memory = 0;
    return SQLITE_OK;
}

static int unfetch(sqlite3_file *file, sqlite3_int64 offset, void *memory) {
    (void)file, (void)offset, (void)memory;
    return SQLITE_OK;
}

// The log

// The frame, counted from 1, that a page at this place of the log is of; 0 where it is none.
static uint32_t frame(int count, sqlite3_int64 offset, int place, int size) {
    sqlite3_int64 rest = offset - log_header_size - place;
    return count == size && rest >= 0 && rest % frame_size == 0 ? (uint32_t)(rest / frame_size + 1) : 0;
}

static void add_log_sum(const unsigned char *bytes, int count, int is_big, uint32_t sums[2]) {
    for (int at = 0; at < count; at += 8) {
        sums[0] += (is_big ? big_endian(bytes + at) : little_endian(bytes + at)) + sums[1];
        sums[1] += (is_big ? big_endian(bytes + at + 4) : little_endian(bytes + at + 4)) + sums[0];
    }
}

// Whether a frame is one of the log as it is now, and its stored sum goes on from the stored sum before it. SQLITE_OK,
// SQLITE_IOERR_DATA, or what failed.
static int verify(sqlite3_file *file, const unsigned char *page, uint32_t frame) {
    sqlite3_int64 start = log_header_size + (sqlite3_int64)(frame - 1) * frame_size;
    sqlite3_int64 before = frame == 1 ? log_header_sum_at : start - frame_size + frame_sum_at;
    unsigned char seed[8], header[frame_header_size];
    int code = real(file)->pMethods->xRead(real(file), seed, sizeof seed, before);
    if (code != SQLITE_OK) return code;
    code = real(file)->pMethods->xRead(real(file), header, sizeof header, start);
    if (code != SQLITE_OK) return code;
    if (!pages(file)->has_header) {
        code = real(file)->pMethods->xRead(real(file), pages(file)->header, log_header_size, 0);
        if (code != SQLITE_OK) return code;
        pages(file)->has_header = 1;
    }
    // Zeros would go on from zeros.
    if (big_endian(header) == 0 || memcmp(header + frame_salts_at, pages(file)->header + log_salts_at, 8) != 0) {
        return SQLITE_IOERR_DATA;
    }
    uint32_t sums[2] = {big_endian(seed), big_endian(seed + 4)};
    int is_big = (big_endian(pages(file)->header) & 1) != 0;
    add_log_sum(header, 8, is_big, sums);
    add_log_sum(page, page_size, is_big, sums);
    int is_same = sums[0] == big_endian(header + frame_sum_at) && sums[1] == big_endian(header + frame_sum_at + 4);
    return is_same ? SQLITE_OK : SQLITE_IOERR_DATA;
}

static int read_log(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
    struct pages_file *log = pages(file);
    for (int attempt = 1;; attempt++) {
        int code = real(file)->pMethods->xRead(real(file), buffer, count, offset);
        uint32_t read = frame(count, offset, frame_header_size, page_size);
        if (code != SQLITE_OK || read == 0 || (log->own_frames != 0 && read >= log->own_frames)) return code;
        code = verify(file, buffer, read);
        if (code != SQLITE_IOERR_DATA) return code;
        // The log may have been begun anew since its header was read.
        log->has_header = 0;
        if (attempt == 1) continue;
        if (attempt == attempts) return code;
        pause_for_writer();
    }
}

static int write_log(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
    uint32_t written = frame(count, offset, 0, frame_header_size);
    if (written != 0) {
        int is_commit = big_endian((const unsigned char *)buffer + 4) != 0;
        uint32_t own = pages(file)->own_frames;
        pages(file)->own_frames = is_commit ? 0 : own == 0 || written < own ? written : own;
    }
    return real(file)->pMethods->xWrite(real(file), buffer, count, offset);
}

// A database or its log: the other one loses its partner.
static int close_file(sqlite3_file *file) {
    if (pages(file)->other != 0) pages(file)->other->other = 0;
    return real(file)->pMethods->xClose(real(file));
}

// What goes through as it is

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    return real(file)->pMethods->xTruncate(real(file), size);
}
static int sync_file(sqlite3_file *file, int flags) { return real(file)->pMethods->xSync(real(file), flags); }
static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return real(file)->pMethods->xFileSize(real(file), size);
}
static int lock(sqlite3_file *file, int level) { return real(file)->pMethods->xLock(real(file), level); }
static int unlock(sqlite3_file *file, int level) {
    pages(file)->is_written = 0;
    return real(file)->pMethods->xUnlock(real(file), level);
}
static int check_reserved(sqlite3_file *file, int *result) {
    return real(file)->pMethods->xCheckReservedLock(real(file), result);
}
static int control(sqlite3_file *file, int operation, void *argument) {
    return real(file)->pMethods->xFileControl(real(file), operation, argument);
}
static int sector_size(sqlite3_file *file) { return real(file)->pMethods->xSectorSize(real(file)); }
static int characteristics(sqlite3_file *file) { return real(file)->pMethods->xDeviceCharacteristics(real(file)); }
static int map_shared_memory(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
    return real(file)->pMethods->xShmMap(real(file), region, size, extends, memory);
}
static void shared_memory_barrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }
static int unmap_shared_memory(sqlite3_file *file, int deletes) {
    return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static const sqlite3_io_methods database_methods = {
    3, close_file, read_database, write_database, truncate_file, sync_file, file_size, lock, unlock,
    check_reserved, control_database, sector_size, characteristics, map_shared_memory, lock_shared_memory,
    shared_memory_barrier, unmap_shared_memory, fetch, unfetch,
};

static const sqlite3_io_methods log_methods = {
    1, close_file, read_log, write_log, truncate_file, sync_file, file_size, lock, unlock, check_reserved, control,
    sector_size, characteristics, 0, 0, 0, 0, 0, 0,
};

static int open_file(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file, int flags, int *out_flags) {
    (void)vfs;
    if ((flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) == 0) {
        // Journals and temporary files have no sums.
        return below->xOpen(below, name, file, flags, out_flags);
    }
    memset(file, 0, sizeof(struct pages_file));
    int code = below->xOpen(below, name, real(file), flags, out_flags);
    if (code != SQLITE_OK) {
        if (real(file)->pMethods != 0) real(file)->pMethods->xClose(real(file));
        return code;
    }
    if ((flags & SQLITE_OPEN_MAIN_DB) != 0) {
        if (real(file)->pMethods->iVersion < 3) {
            real(file)->pMethods->xClose(real(file));
            return SQLITE_CANTOPEN;
        }
        file->pMethods = &database_methods;
        // The target of a copy that is to have sums: pages may be written before its first one.
        if (sqlite3_uri_boolean(name, "sums", 0)) pages(file)->sums = sums_kept;
        return SQLITE_OK;
    }
    file->pMethods = &log_methods;
    sqlite3_file *database = sqlite3_database_file_object(name);
    if (database != 0 && database->pMethods == &database_methods) {
        pages(file)->other = pages(database);
        pages(database)->other = pages(file);
    }
    return SQLITE_OK;
}

static void register_once(void) {
    // The default may be another program's own layer.
    below = sqlite3_vfs_find("unix");
    if (below == 0) {
        registered = SQLITE_ERROR;
        return;
    }
    layer = *below;
    layer.zName = "llavero";
    layer.pNext = 0;
    layer.szOsFile = below->szOsFile + (int)sizeof(struct pages_file);
    layer.xOpen = open_file;
    registered = sqlite3_vfs_register(&layer, 0);
}

int llv_pages_register(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    return pthread_once(&once, register_once) == 0 ? registered : SQLITE_ERROR;
}
