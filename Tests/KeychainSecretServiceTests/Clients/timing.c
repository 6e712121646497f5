// SPDX-License-Identifier: Apache-2.0
//
// How long calls to a Secret Service take, from one connection with a plain session: timing NAME SIZE...
// A line is the call, how many items there are, the median in microseconds, and the longest.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>

static sd_bus *bus;
static const char *service;
static char *session, *collection;
static char **items;

static void check(int result, const char *what) {
    if (result >= 0) return;
    fprintf(stderr, "%s: %s\n", what, strerror(-result));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static sd_bus_message *message(const char *path, const char *interface, const char *member) {
    sd_bus_message *call = NULL;
    check(sd_bus_message_new_method_call(bus, &call, service, path, interface, member), member);
    return call;
}

static sd_bus_message *call(sd_bus_message *request) {
    sd_bus_message *reply = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    if (sd_bus_call(bus, request, 300ull * 1000000, &error, &reply) < 0) {
        fprintf(stderr, "%s: %s\n", error.name, error.message);
        exit(1);
    }
    sd_bus_message_unref(request);
    return reply;
}

static void ping(long number) {
    (void)number;
    sd_bus_message_unref(call(message("/org/freedesktop/secrets", "org.freedesktop.DBus.Peer", "Ping")));
}

static void create(long number) {
    sd_bus_message *request = message(collection, "org.freedesktop.Secret.Collection", "CreateItem"), *reply;
    char text[32];
    const char *item, *prompt;
    snprintf(text, sizeof text, "%ld", number);
    check(sd_bus_message_append(
        request, "a{sv}", 2, "org.freedesktop.Secret.Item.Label", "s", "timing", "org.freedesktop.Secret.Item.Attributes",
        "a{ss}", 3, "bench", "yes", "number", text, "xdg:schema", "org.example.Timing"), "properties");
    check(sd_bus_message_open_container(request, 'r', "oayays"), "secret");
    check(sd_bus_message_append(request, "o", session), "session");
    check(sd_bus_message_append_array(request, 'y', "", 0), "parameters");
    check(sd_bus_message_append_array(request, 'y', "a secret of thirty-two characters", 32), "value");
    check(sd_bus_message_append(request, "s", "text/plain"), "type");
    check(sd_bus_message_close_container(request), "secret");
    check(sd_bus_message_append(request, "b", 1), "replace");
    reply = call(request);
    check(sd_bus_message_read(reply, "oo", &item, &prompt), "CreateItem");
    if (strcmp(prompt, "/") != 0) exit(2);
    items[number] = strdup(item);
    sd_bus_message_unref(reply);
}

// Reads the first list of paths, and says how many there are.
static long count(sd_bus_message *reply) {
    long found = 0;
    const char *path;
    check(sd_bus_message_enter_container(reply, 'a', "o"), "paths");
    while (sd_bus_message_read(reply, "o", &path) > 0) found++;
    sd_bus_message_unref(reply);
    return found;
}

static void search_one(long number) {
    sd_bus_message *request = message("/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "SearchItems");
    char text[32];
    snprintf(text, sizeof text, "%ld", number);
    check(sd_bus_message_append(request, "a{ss}", 2, "number", text, "xdg:schema", "org.example.Timing"), "attributes");
    if (count(call(request)) != 1) exit(3);
}

static long size;

static void search_all(long number) {
    sd_bus_message *request = message("/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "SearchItems");
    (void)number;
    check(sd_bus_message_append(request, "a{ss}", 1, "bench", "yes"), "attributes");
    if (count(call(request)) != size) exit(4);
}

static void get_secret(long number) {
    sd_bus_message *request = message(items[number], "org.freedesktop.Secret.Item", "GetSecret");
    check(sd_bus_message_append(request, "o", session), "session");
    sd_bus_message_unref(call(request));
}

static void get_secrets(long number) {
    sd_bus_message *request = message("/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "GetSecrets"), *reply;
    long found = 0;
    (void)number;
    check(sd_bus_message_open_container(request, 'a', "o"), "items");
    for (long index = 0; index < size; index++) check(sd_bus_message_append(request, "o", items[index]), "item");
    check(sd_bus_message_close_container(request), "items");
    check(sd_bus_message_append(request, "o", session), "session");
    reply = call(request);
    check(sd_bus_message_enter_container(reply, 'a', "{o(oayays)}"), "secrets");
    while (sd_bus_message_skip(reply, "{o(oayays)}") > 0) found++;
    sd_bus_message_unref(reply);
    if (found != size) exit(5);
}

static void set_label(long number) {
    sd_bus_message *request = message(items[number], "org.freedesktop.DBus.Properties", "Set");
    check(sd_bus_message_append(request, "ssv", "org.freedesktop.Secret.Item", "Label", "s", "another"), "label");
    sd_bus_message_unref(call(request));
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void measure(const char *name, void (*operation)(long), long times, long first, long range) {
    double *taken = calloc((size_t)times, sizeof *taken);
    if (taken == NULL) exit(1);
    for (long index = 0; index < times; index++) {
        // A step that meets all numbers, not in their order.
        long number = first + (index * 7919) % range;
        double began = now();
        operation(number);
        taken[index] = now() - began;
    }
    qsort(taken, (size_t)times, sizeof *taken, compare);
    printf("%s %ld %.0f %.0f\n", name, size, taken[times / 2], taken[times - 1]);
    fflush(stdout);
    free(taken);
}

int main(int argc, char **argv) {
    sd_bus_message *request, *reply;
    const char *path;
    long made = 0;
    if (argc < 3) return 64;
    service = argv[1];
    check(sd_bus_open_user(&bus), "bus");
    request = message("/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "OpenSession");
    check(sd_bus_message_append(request, "sv", "plain", "s", ""), "OpenSession");
    reply = call(request);
    check(sd_bus_message_skip(reply, "v"), "output");
    check(sd_bus_message_read(reply, "o", &path), "session");
    session = strdup(path);
    sd_bus_message_unref(reply);
    request = message("/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "ReadAlias");
    check(sd_bus_message_append(request, "s", "default"), "ReadAlias");
    reply = call(request);
    check(sd_bus_message_read(reply, "o", &path), "default");
    collection = strdup(path);
    sd_bus_message_unref(reply);
    items = calloc(1000000, sizeof *items);
    if (items == NULL) return 1;

    for (int argument = 2; argument < argc; argument++) {
        long wanted = atol(argv[argument]), last = wanted - made < 100 ? wanted - made : 100;
        for (; made < wanted - last; made++) create(made);
        size = wanted;
        // What was made last is what is measured; a prime does not divide its number.
        measure("CreateItem", create, last, made, last);
        made = wanted;
        measure("Ping", ping, 300, 0, wanted);
        measure("SearchItems, one", search_one, 300, 0, wanted);
        measure("SearchItems, all", search_all, wanted > 1000 ? 5 : 11, 0, wanted);
        measure("GetSecret", get_secret, 300, 0, wanted);
        measure("GetSecrets, all", get_secrets, wanted > 1000 ? 5 : 11, 0, wanted);
        measure("set Label", set_label, wanted < 40 ? wanted : 40, 0, wanted);
    }
    return 0;
}
