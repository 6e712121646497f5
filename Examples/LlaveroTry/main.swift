// SPDX-License-Identifier: Apache-2.0

// The main job of a keychain, step by step, on one in a temporary folder that is removed in the end.

import Security

// A program that handles secrets leaves no picture of its memory behind.
try Llavero.forbidCoreDumps()

// Not kept in a variable: one at the top level would live until the process ends, and the folder would stay.
try Tour().run()
