// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Where a daemon listens.
package enum DaemonSocket {
    /// The path of the socket to go to before anything else, if there is one for this place.
    ///
    /// `LLAVERO_SOCKET` says it. Else a daemon of the user's own has only the keychain that programs use when nobody names
    /// another, and tests have nothing to do with it.
    static func named(by environment: Environment, for place: Place, isTest: Bool) -> String? {
        if let path = environment["LLAVERO_SOCKET"] { return path }
        guard !isTest, environment["LLAVERO_HOME"] == nil, environment["LLAVERO_KEYCHAIN"] == nil else { return nil }
        guard case .folder = place else { return nil }
        return ofUser(environment)
    }

    /// The socket of the user's own daemon; nil where the user has no folder for such things.
    ///
    /// A program that has more rights than who started it believes no variable, and looks where systemd makes that folder.
    package static func ofUser(_ environment: Environment) -> String? {
        let folder = Environment.isPrivileged ? "/run/user/\(getuid())" : environment["XDG_RUNTIME_DIR"]
        return folder.map { $0 + "/llavero/socket" }
    }
}
