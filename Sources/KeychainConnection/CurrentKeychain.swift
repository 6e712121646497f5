// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
internal import KeychainSystem
internal import Synchronization

/// The keychain that a call is about which names none: this task's, a test run's, or the user's.
package enum CurrentKeychain {
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
                "a keychain is already installed for this process; install it once and keep the result")
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

    /// The keychain that calls of this task act on instead of the process's own.
    @TaskLocal package static var isolated: (any KeychainHost)?
}
