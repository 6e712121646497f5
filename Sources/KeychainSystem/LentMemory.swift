// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Memory from `malloc` with a secret in it, which a caller was given and brings back.
package enum LentMemory {
    /// Wipes all of it and gives it back, though nobody says how long it is; nil is nothing.
    package static func wipeAndFree(_ memory: UnsafeMutableRawPointer?) {
        unsafe llv_wipe_and_free(memory)
    }
}
