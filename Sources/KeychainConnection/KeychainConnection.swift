// SPDX-License-Identifier: Apache-2.0

internal import CLinux
package import KeychainModel
package import KeychainRequest
internal import Synchronization

/// Who serves the keychain a call is about, and on whose behalf it is made.
package struct KeychainConnection: Sendable {
    package let service: any KeychainService
    package let caller: Caller
    /// Whoever asks people what items demand.
    package let authentication: any AuthenticationService
    /// Whoever has the keys.
    package let keybag: any KeybagService

    /// Runs a whole call of a program's as one operation to the fork gate: at the moment of a fork nobody is inside our
    /// code, and nobody holds a lock of ours or of what we call.
    package static func operation<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        llv_operation_enter()
        defer { llv_operation_leave() }
        return try body()
    }

    /// The keychain set for this task, else the process's.
    package static func host() throws(KeychainError) -> any KeychainHost {
        if let isolated { return isolated }
        return try processHost()
    }

    /// The keychain that was installed for this test run, else the process's own.
    package static func processHost() throws(KeychainError) -> any KeychainHost {
        if hasInstalled.load(ordering: .acquiring), let host = installed.withLock({ $0?.host }) { return host }
        return try ProcessHost.host()
    }

    /// Has all calls of a test run act on a keychain, from now on; `keeper` lives as long as the process.
    package static func install(
        _ host: any KeychainHost, keeping keeper: any AnyObject & Sendable
    ) throws(KeychainError) {
        let isFirst = installed.withLock { installed in
            if installed != nil { return false }
            installed = Installed(host: host, keeper: keeper)
            return true
        }
        guard isFirst else {
            throw KeychainError(
                .duplicateItem,
                "a keychain is installed for this process already; install it once, and keep what that returns")
        }
        hasInstalled.store(true, ordering: .releasing)
    }

    private struct Installed: Sendable {
        let host: any KeychainHost
        let keeper: any AnyObject & Sendable
    }

    private static let installed = ForkSafeMutex<Installed?>(nil)
    /// So that a call of a program that installs nothing takes no lock for it.
    private static let hasInstalled = Atomic(false)

    /// Makes one call on the keychain set for this task, else on the process's own.
    package static func call<Result>(
        _ body: (KeychainConnection) throws(KeychainError) -> Result
    ) throws(KeychainError) -> Result {
        try body(try host().connection())
    }

    /// The keychain that calls of this task act on instead of the process's own.
    @TaskLocal package static var isolated: (any KeychainHost)?
}
