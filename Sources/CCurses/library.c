// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CCurses.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

typedef struct llv_window llv_window;
typedef struct llv_terminal llv_terminal;

/// An event of the mouse. The last field is of four or eight bytes; what it is asked for is in the first four.
typedef struct {
    short id;
    int x, y, z;
    uint32_t buttons;
    uint32_t rest;
} llv_mouse_event;

// What is called of it: what each returns, its name, what it takes. Attributes and masks are numbers of four or eight bytes by
// the build; in a register both are read right.
#define LLV_CURSES(X) \
    X(llv_terminal *, newterm, (const char *type, FILE *output, FILE *input)) \
    X(llv_window *, newwin, (int rows, int columns, int row, int column)) \
    X(int, endwin, (void)) \
    X(int, raw, (void)) \
    X(int, noecho, (void)) \
    X(int, nonl, (void)) \
    X(int, keypad, (llv_window *window, bool yes)) \
    X(int, nodelay, (llv_window *window, bool yes)) \
    X(int, set_escdelay, (int milliseconds)) \
    X(int, curs_set, (int visibility)) \
    X(bool, has_colors, (void)) \
    X(int, start_color, (void)) \
    X(int, use_default_colors, (void)) \
    X(int, init_pair, (short pair, short foreground, short background)) \
    X(int, resizeterm, (int rows, int columns)) \
    X(int, wresize, (llv_window *window, int rows, int columns)) \
    X(int, werase, (llv_window *window)) \
    X(int, wmove, (llv_window *window, int row, int column)) \
    X(int, wattr_set, (llv_window *window, unsigned long attributes, short pair, void *options)) \
    X(int, waddnstr, (llv_window *window, const char *text, int count)) \
    X(int, clearok, (llv_window *window, bool yes)) \
    X(int, wrefresh, (llv_window *window)) \
    X(int, wget_wch, (llv_window *window, wint_t *character)) \
    X(unsigned long, mousemask, (unsigned long wanted, unsigned long *before)) \
    X(int, mouseinterval, (int milliseconds)) \
    X(int, getmouse, (llv_mouse_event *event)) \
    X(char *, tigetstr, (const char *name)) \
    X(char *, tiparm, (const char *text, ...))

static struct {
#define LLV_FIELD(result, name, arguments) result (*name) arguments;
    LLV_CURSES(LLV_FIELD)
#undef LLV_FIELD
} curses;

static llv_window *window;
static bool has_colour;
static const char *to_place;
static int place_row, place_column;
/// Signals arrive here, so that one is never missed between looking and waiting, whichever thread it reaches.
static int signals[2] = {-1, -1};

// ncurses' numbers.
enum { KEY_CODE_YES = 0400, KEY_MOUSE = 0631, KEY_RESIZE = 0632 };
enum { BOLD = 1 << 21, DIM = 1 << 20, REVERSE = 1 << 18 };
enum { BUTTON1_PRESSED = 2, BUTTON1_CLICKED = 4, BUTTON4_PRESSED = 2 << 15, BUTTON5_PRESSED = 2 << 20 };
static const unsigned long wanted_buttons = BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED;

static bool find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    // POSIX promises that a pointer to a function fits; ISO C has no cast for it.
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool load(void) {
    void *library = dlopen("libncursesw.so.6", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    bool has_all = true;
#define LLV_FIND(result, name, arguments) has_all = find(library, #name, &curses.name) && has_all;
    LLV_CURSES(LLV_FIND)
    return has_all;
}

static void note(int number) {
    int before = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe has enough to wake up for.
    (void)!write(signals[1], &byte, 1);
    errno = before;
}

static bool catch_signals(void) {
    if (pipe2(signals, O_CLOEXEC | O_NONBLOCK) != 0) return false;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    const int numbers[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT};
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++)
        if (sigaction(numbers[index], &action, NULL) != 0) return false;
    return true;
}

/// Whether the environment says which letters the terminal shows.
static bool is_locale_given(void) {
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        const char *value = getenv(names[index]);
        if (value != NULL && *value != '\0') return true;
    }
    return false;
}

bool llv_curses_is_unicode(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

int llv_curses_take(bool has_colours, bool has_mouse) {
    if (!load()) return LLV_CURSES_NO_LIBRARY;
    if (is_locale_given()) {
        // A locale that is not installed would leave ASCII, though its name says UTF-8.
        if (setlocale(LC_CTYPE, "") == NULL) (void)setlocale(LC_CTYPE, "C.UTF-8");
    } else {
        (void)setlocale(LC_CTYPE, "C.UTF-8");
    }
    // Before ncurses, which would take them for itself, and end the process without erasing.
    if (!catch_signals()) return LLV_CURSES_NO_PIPE;
    if (curses.newterm(NULL, stdout, stdin) == NULL) return LLV_CURSES_NO_TERMINAL;
    window = curses.newwin(0, 0, 0, 0);
    to_place = curses.tigetstr("cup");
    if (window == NULL || to_place == NULL || to_place == (const char *)-1) {
        (void)curses.endwin();
        return LLV_CURSES_NO_TERMINAL;
    }
    (void)curses.raw();
    (void)curses.noecho();
    (void)curses.nonl();
    (void)curses.keypad(window, true);
    (void)curses.nodelay(window, true);
    (void)curses.set_escdelay(50);
    has_colour = has_colours && curses.has_colors();
    if (has_colour) {
        (void)curses.start_color();
        (void)curses.use_default_colors();
        const short colours[] = {-1, 2, 3, 1, 6, 4};
        for (short pair = 1; pair < 6; pair++) (void)curses.init_pair(pair, colours[pair], -1);
    }
    if (has_mouse) {
        (void)curses.mouseinterval(0);
        (void)curses.mousemask(wanted_buttons, NULL);
    }
    return LLV_CURSES_TAKEN;
}

void llv_curses_measure(int *columns, int *rows) {
    struct winsize size;
    memset(&size, 0, sizeof size);
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
        size.ws_col = 80;
        size.ws_row = 24;
    }
    *columns = size.ws_col;
    *rows = size.ws_row;
    (void)curses.resizeterm(*rows, *columns);
    (void)curses.wresize(window, *rows, *columns);
}

void llv_curses_clear(void) { (void)curses.werase(window); }

void llv_curses_put(int row, int column, const char *text, int look) {
    unsigned long attributes = 0;
    short pair = has_colour ? (short)(look & 15) : 0;
    if (look & LLV_CURSES_BOLD) attributes |= BOLD;
    if (look & LLV_CURSES_FAINT) attributes |= DIM;
    if (look & LLV_CURSES_REVERSE) attributes |= REVERSE;
    (void)curses.wattr_set(window, attributes, pair, NULL);
    if (curses.wmove(window, row, column) == 0) (void)curses.waddnstr(window, text, -1);
    (void)curses.wattr_set(window, 0, 0, NULL);
}

void llv_curses_show(int row, int column) {
    place_row = row < 0 ? 0 : row;
    place_column = row < 0 ? 0 : column;
    (void)curses.curs_set(row < 0 ? 0 : 1);
    (void)curses.wmove(window, place_row, place_column);
    (void)curses.wrefresh(window);
}

void llv_curses_forget(void) { (void)curses.clearok(window, true); }

static void send(const void *bytes, size_t count) {
    const char *next = bytes;
    while (count > 0) {
        ssize_t sent = write(STDOUT_FILENO, next, count);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) {
            struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
            (void)poll(&output, 1, 1000);
            continue;
        }
        if (sent <= 0) return;
        next += sent;
        count -= (size_t)sent;
    }
}

static void move_to(int row, int column) {
    const char *text = curses.tiparm(to_place, row, column);
    if (text != NULL) send(text, strlen(text));
}

void llv_curses_overwrite(int row, int column, const void *bytes, size_t count) {
    move_to(row, column);
    send(bytes, count);
    // Where ncurses believes the cursor to be.
    move_to(place_row, place_column);
}

void llv_curses_wipe(int row, int column, int width) {
    char spaces[64];
    memset(spaces, ' ', sizeof spaces);
    move_to(row, column);
    while (width > 0) {
        int part = width < (int)sizeof spaces ? width : (int)sizeof spaces;
        send(spaces, (size_t)part);
        width -= part;
    }
    move_to(place_row, place_column);
}

/// What the mouse did and nobody was told of yet, the last first: ncurses tells of all that came in one piece by one key, and
/// keeps eight at most.
static llv_mouse_event untold[8];
static int untold_count;

static void take_mouse(void) {
    const int most = sizeof untold / sizeof *untold;
    untold_count = 0;
    for (int taken = 0; taken < most; taken++) {
        llv_mouse_event *event = &untold[untold_count];
        memset(event, 0, sizeof *event);
        if (curses.getmouse(event) != 0) break;
        // Where a key follows it tells of a button's release as well, though nobody asked for that.
        if (event->buttons & wanted_buttons) untold_count++;
    }
}

static int mouse(int32_t *value) {
    llv_mouse_event event = untold[--untold_count];
    if (event.buttons & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
        *value = event.buttons & BUTTON4_PRESSED ? -1 : 1;
        return LLV_CURSES_WHEEL;
    }
    *value = (event.y & 0x7FFF) << 16 | (event.x & 0xFFFF);
    return LLV_CURSES_CLICK;
}

/// What ncurses has ready.
static int key(int32_t *value) {
    while (untold_count == 0) {
        wint_t character = 0;
        int kind = curses.wget_wch(window, &character);
        if (kind == -1) return LLV_CURSES_NOTHING;
        // It says so of a size that it was told.
        if (kind == KEY_CODE_YES && character == KEY_RESIZE) continue;
        if (kind == KEY_CODE_YES && character == KEY_MOUSE) {
            // Where there was nothing but a release, ncurses may have read the key behind it already.
            take_mouse();
            continue;
        }
        *value = (int32_t)character;
        return kind == KEY_CODE_YES ? LLV_CURSES_KEY : LLV_CURSES_CHARACTER;
    }
    return mouse(value);
}

int llv_curses_wait(int milliseconds, int32_t *value) {
    *value = 0;
    // Keys that came together with an earlier one.
    int ready = key(value);
    if (ready != LLV_CURSES_NOTHING) return ready;
    struct pollfd lines[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = signals[0], .events = POLLIN}};
    int count = poll(lines, 2, milliseconds);
    if (count <= 0) return LLV_CURSES_NOTHING;
    unsigned char number = 0;
    if (lines[1].revents & POLLIN && read(signals[0], &number, 1) == 1) {
        *value = number;
        return LLV_CURSES_SIGNAL;
    }
    if (lines[0].revents & POLLIN) {
        ready = key(value);
        int waiting = 0;
        // Readable without a byte: hung up.
        if (ready == LLV_CURSES_NOTHING && lines[0].revents & POLLHUP &&
            (ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0 || waiting == 0))
            return LLV_CURSES_END;
        return ready;
    }
    return lines[0].revents & (POLLHUP | POLLERR | POLLNVAL) ? LLV_CURSES_END : LLV_CURSES_NOTHING;
}

void llv_curses_leave(void) {
    // Where the terminal has no other screen, this one is left empty.
    (void)curses.werase(window);
    llv_curses_show(0, 0);
    (void)curses.endwin();
}

static void send_capability(const char *name) {
    const char *text = curses.tigetstr(name);
    if (text != NULL && text != (const char *)-1) send(text, strlen(text));
}

void llv_curses_lend(void) {
    llv_curses_leave();
    send_capability("smcup");
    send_capability("clear");
}

/// Forgets that the terminal was to be stopped, or went on, while it was lent: whoever had it did that.
static void forget_stops(void) {
    unsigned char kept[64];
    size_t count = 0;
    unsigned char number = 0;
    while (count < sizeof kept && read(signals[0], &number, 1) == 1)
        if (number != SIGTSTP && number != SIGCONT) kept[count++] = number;
    (void)!write(signals[1], kept, count);
}

void llv_curses_take_back(void) {
    forget_stops();
    send_capability("clear");
    send_capability("rmcup");
    llv_curses_return();
}

void llv_curses_return(void) {
    (void)curses.clearok(window, true);
    (void)curses.wrefresh(window);
}
