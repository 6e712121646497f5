// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainTools

extension ToolKeychain {
    /// What people and scripts call it.
    var path: String { place.path ?? "" }

    /// Whether it is there: the system's daemon alone has keychains where nobody else can look, and makes them when they
    /// are needed.
    var isPresent: Bool { place.exists || hasDaemon && host.socket == DaemonSocket.system }
}
