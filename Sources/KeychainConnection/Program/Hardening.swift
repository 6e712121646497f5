// SPDX-License-Identifier: Apache-2.0

internal import CLinux
package import KeychainModel

/// What a program can do about its own memory.
package enum Hardening {
    /// Forbids core dumps, and debuggers of the same user, from now on.
    package static func forbidCoreDumps() throws(KeychainError) {
        let failure = llv_disable_core_dumps()
        guard failure == 0 else {
            throw KeychainError(.internalError, "core dumps cannot be switched off", code: Int64(failure))
        }
    }
}
