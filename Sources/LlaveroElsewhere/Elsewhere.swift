// SPDX-License-Identifier: Apache-2.0

// Where the system has a Security module of its own this package adds nothing to it. A product needs a target, and a
// target a file: this is the file.
