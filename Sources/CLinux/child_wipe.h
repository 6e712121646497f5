// SPDX-License-Identifier: Apache-2.0

#ifndef LLV_CHILD_WIPE_H
#define LLV_CHILD_WIPE_H

// For fork.c alone: wipes everything that was added, in a child that has just been made.
void llv_child_wipe_all(void);

/// Closes a forked child to the user's other programs, where the process it was forked from is closed to them and was just
/// being shown (process.c).
void llv_close_forked_child(void);

#endif
