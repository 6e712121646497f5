// SPDX-License-Identifier: Apache-2.0

#ifndef LLV_CHILD_WIPE_H
#define LLV_CHILD_WIPE_H

// For fork.c alone: wipes everything that was added, in a child that has just been made.
void llv_child_wipe_all(void);

#endif
