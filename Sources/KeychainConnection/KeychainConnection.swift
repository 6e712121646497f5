// SPDX-License-Identifier: Apache-2.0

internal import CLinux
package import KeychainModel
package import KeychainRequest

/// Who serves the keychain a call is about, and on whose behalf it is made.
package struct KeychainConnection: Sendable {
    package let service: any KeychainService
    package let caller: Caller

    /// Makes one call on the keychain set for this task, else on the process's own.
    ///
    /// The whole call is one operation to the fork gate: at the moment of a fork nobody holds a lock of ours.
    package static func call<Result>(
        _ body: (KeychainConnection) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        if let isolated { return try body(try isolated.connection()) }
        return try body(try ProcessHost.host().connection())
    }

    /// The keychain that calls of this task act on instead of the process's own.
    @TaskLocal package static var isolated: EmbeddedHost?
}
