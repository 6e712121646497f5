// SPDX-License-Identifier: Apache-2.0
//
// ncurses with wide characters, found when a full-screen program first needs it and not before: every other verb starts as fast
// without it, and one and the same program runs where it is not installed. Declared here, so that its headers are not needed to
// build either. What is called has been the same since ncurses 6.0, whose types differ between builds: so nothing of them but
// pointers and numbers passes.

#ifndef LLV_CCURSES_H
#define LLV_CCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Why a screen cannot be taken.
enum {
    LLV_CURSES_TAKEN = 0,
    /// The library is not installed, or lacks a function.
    LLV_CURSES_NO_LIBRARY = 1,
    /// The terminal is none that it knows.
    LLV_CURSES_NO_TERMINAL = 2,
    LLV_CURSES_NO_PIPE = 3,
};

/// How letters look, to be combined; the low four bits are one of the colours below.
enum {
    LLV_CURSES_BOLD = 1 << 4,
    LLV_CURSES_FAINT = 1 << 5,
    LLV_CURSES_REVERSE = 1 << 6,
};

/// The terminal's own colours, and others, where colours are on.
enum {
    LLV_CURSES_USUAL = 0,
    LLV_CURSES_GREEN = 1,
    LLV_CURSES_YELLOW = 2,
    LLV_CURSES_RED = 3,
    LLV_CURSES_CYAN = 4,
    LLV_CURSES_BLUE = 5,
};

/// What came from the person, or from the system.
enum {
    LLV_CURSES_NOTHING = 0,
    /// A character that was typed.
    LLV_CURSES_CHARACTER = 1,
    /// A key without a character, by ncurses' number.
    LLV_CURSES_KEY = 2,
    /// The wheel: -1 is up, 1 is down.
    LLV_CURSES_WHEEL = 3,
    /// A click: the row in the upper half, the column in the lower.
    LLV_CURSES_CLICK = 4,
    /// A signal, by its number: SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP or SIGCONT.
    LLV_CURSES_SIGNAL = 5,
    /// The terminal is gone.
    LLV_CURSES_END = 6,
};

/// Takes the terminal of standard input and output: its other screen, keys at once and unseen.
///
/// A process does that once.
int llv_curses_take(bool has_colours, bool has_mouse);

/// Whether letters beyond ASCII can be put, by the locale of the environment; one that says nothing counts as UTF-8.
bool llv_curses_is_unicode(void);

/// Columns and rows of the terminal as it is now.
void llv_curses_measure(int *columns, int *rows);

/// Begins a picture: nothing of the one before is left.
void llv_curses_clear(void);
/// Puts text into the picture, which is to fit the rest of the row.
void llv_curses_put(int row, int column, const char *text, int look);
/// Shows the picture, with the cursor there, or without one for row -1.
void llv_curses_show(int row, int column);
/// Has the next picture drawn anew from the first cell on.
void llv_curses_forget(void);

/// Writes bytes over the picture, past ncurses, which has no copy of them; they are text without control characters.
///
/// In ncurses' eyes the cells are as the picture has them: whoever writes here also wipes.
void llv_curses_overwrite(int row, int column, const void *bytes, size_t count);
/// Writes spaces over the picture in the same way.
void llv_curses_wipe(int row, int column, int width);

/// Waits so many milliseconds for what comes, -1 for any time; one of LLV_CURSES_NOTHING… and its value.
int llv_curses_wait(int milliseconds, int32_t *value);

/// Gives the terminal back, erased, and takes it again.
void llv_curses_leave(void);
void llv_curses_return(void);

/// The same for a question, or a command: what they write is on the other screen too, which has no history, and is erased.
void llv_curses_lend(void);
void llv_curses_take_back(void);

#pragma clang assume_nonnull end

#endif
