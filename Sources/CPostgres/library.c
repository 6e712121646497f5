// SPDX-License-Identifier: Apache-2.0

#include "CPostgres.h"

#include <dlfcn.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

static llv_pq functions;
static bool is_complete = false;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static bool find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    // POSIX promises that a pointer to a function fits; ISO C has no cast for it.
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void load(void) {
    // Never closed: OpenSSL, which it brings, keeps thread-local state, whose destructors would be gone with it.
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    bool has_all = true;
#define LLV_FIND(result, name, arguments) has_all = find(library, #name, &functions.name) && has_all;
    LLV_PQ(LLV_FIND)
    is_complete = has_all;
}

const llv_pq *llv_pq_functions(void) {
    (void)pthread_once(&load_once, load);
    return is_complete ? &functions : NULL;
}

static void ignore(void *context, const PGresult *result) {
    (void)context;
    (void)result;
}

void llv_pq_ignore_notices(PGconn *connection) { (void)functions.PQsetNoticeReceiver(connection, ignore, NULL); }

uint64_t llv_pq_read(int socket) {
    // The kernel's struct has what the C library's lacks.
    struct tcp_info info;
    memset(&info, 0, sizeof info);
    socklen_t size = sizeof info;
    int waiting = 0;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ||
        size < offsetof(struct tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received ||
        ioctl(socket, FIONREAD, &waiting) != 0 || waiting < 0 || (uint64_t)waiting > info.tcpi_bytes_received)
        return 0;
    return info.tcpi_bytes_received - (uint64_t)waiting;
}
