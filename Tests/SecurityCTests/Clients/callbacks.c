/* SPDX-License-Identifier: Apache-2.0 */
/* A function that is told of items, by a daemon that this client starts as a service manager would. */
#define _GNU_SOURCE
#include <Security/Security.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "expect.h"

static struct {
    sem_t arrival;
    SecKeychainEvent events[16];
    /* Each is retained. */
    SecKeychainItemRef items[16];
    int count;
} log_of_events;

static OSStatus told(SecKeychainEvent event, SecKeychainCallbackInfo *info, void *context) {
    if (context != &log_of_events || log_of_events.count == 16) return errSecParam;
    log_of_events.events[log_of_events.count] = event;
    log_of_events.items[log_of_events.count] =
        info && info->version == 0 && info->item ? (SecKeychainItemRef)CFRetain(info->item) : NULL;
    __sync_synchronize();
    log_of_events.count++;
    sem_post(&log_of_events.arrival);
    return errSecSuccess;
}

/* Of the item, as the next that is told. */
static void expect_event(SecKeychainEvent event, SecKeychainItemRef item) {
    static int next;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 60;
    expect(sem_timedwait(&log_of_events.arrival, &limit) == 0);
    expect(next < log_of_events.count && log_of_events.events[next] == event);
    expect(next < log_of_events.count && log_of_events.items[next] && CFEqual(log_of_events.items[next], item));
    next++;
}

/* It has the socket before it begins: programs wait for its answer, and not for its start. */
static pid_t start(const char *daemon, const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0) {
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        char own[32];
        snprintf(own, sizeof own, "%d", getpid());
        setenv("LISTEN_PID", own, 1);
        setenv("LISTEN_FDS", "1", 1);
        if (listener != 3) dup2(listener, 3);
        execl(daemon, daemon, NULL);
        _exit(127);
    }
    close(listener);
    return child;
}

int main(void) {
    const char *daemon = getenv("CLIENT_DAEMON"), *home = getenv("HOME");
    char path[100];
    snprintf(path, sizeof path, "%s/socket", home ? home : "");
    pid_t child = daemon && home ? start(daemon, path) : -1;
    expect(child > 0);
    if (child <= 0) return finish();
    setenv("LLAVERO_SOCKET", path, 1);
    sem_init(&log_of_events.arrival, 0, 0);

    SecKeychainEventMask mask = kSecAddEventMask | kSecUpdateEventMask | kSecDeleteEventMask;
    expect(SecKeychainAddCallback(told, mask, &log_of_events) == errSecSuccess);
    expect(SecKeychainAddCallback(told, mask, &log_of_events) == errSecDuplicateCallback);
    SecKeychainItemRef item = NULL, silent = NULL;
    expect(SecKeychainAddGenericPassword(NULL, 4, "told", 3, "ada", 6, "sesame", &item) == errSecSuccess && item);
    expect_event(kSecAddEvent, item);
    expect(SecKeychainItemModifyContent(item, NULL, 3, "new") == errSecSuccess);
    expect_event(kSecUpdateEvent, item);
    /* Who reads is not told of. */
    UInt32 length = 0;
    void *data = NULL;
    expect(SecKeychainItemCopyContent(item, NULL, NULL, &length, &data) == errSecSuccess && length == 3);
    expect(SecKeychainItemFreeContent(NULL, data) == errSecSuccess);
    expect(SecKeychainItemDelete(item) == errSecSuccess);
    expect_event(kSecDeleteEvent, item);
    expect(log_of_events.count == 3);
    expect(SecKeychainRemoveCallback(told) == errSecSuccess && SecKeychainRemoveCallback(told) == errSecInvalidCallback);
    expect(SecKeychainAddGenericPassword(NULL, 4, "told", 3, "bob", 6, "sesame", &silent) == errSecSuccess && silent);
    expect(SecKeychainAddCallback(NULL, mask, NULL) == errSecParam);

    for (int index = 0; index < log_of_events.count; index++) {
        if (log_of_events.items[index]) CFRelease(log_of_events.items[index]);
    }
    if (item) CFRelease(item);
    if (silent) CFRelease(silent);
    int status = 0;
    expect(kill(child, SIGTERM) == 0 && waitpid(child, &status, 0) == child);
    return finish();
}
