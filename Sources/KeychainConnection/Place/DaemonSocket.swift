// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// Where a daemon listens.
package struct DaemonSocket: Sendable, Equatable {
    package let path: String
    /// Whom the daemon may run as, beside root and this user.
    package let daemonUser: UInt32?
    /// Whether nobody else has the keychain: then this process opens none of its own when the daemon is away.
    let isOnlyPlace: Bool

    /// The socket to go to before anything else, if there is one for this place.
    ///
    /// `LLAVERO_SOCKET` says it. Else a daemon has only keychains of the folder that is usual, and those that are named by
    /// their path, and tests have nothing to do with it: the user's own daemon, or the system's, unless the user has a keychain already.
    static func named(by environment: Environment, for place: Place, isTest: Bool) -> DaemonSocket? {
        if let path = environment["LLAVERO_SOCKET"] {
            return path == system ? ofSystem : DaemonSocket(path: path, daemonUser: nil, isOnlyPlace: false)
        }
        guard !isTest, environment["LLAVERO_HOME"] == nil, case .folder(let root, let name) = place else { return nil }
        let own = ofUser(environment)
        let hasOwn = own.map { FileStatus(of: $0) != nil } ?? false
        if !hasOwn, FileStatus(of: system) != nil, !KeychainFolder(root: root, name: name).exists { return ofSystem }
        return own.map { DaemonSocket(path: $0, daemonUser: nil, isOnlyPlace: false) }
    }

    /// The socket of the user's own daemon; nil where the user has no folder for such things.
    ///
    /// A program that has more rights than who started it believes no variable, and looks where systemd makes that folder.
    package static func ofUser(_ environment: Environment) -> String? {
        let folder = Environment.isPrivileged ? "/run/user/\(getuid())" : environment["XDG_RUNTIME_DIR"]
        return folder.map { $0 + "/llavero/socket" }
    }

    /// The socket of the system's daemon.
    package static let system = "/run/llavero/socket"

    private static var ofSystem: DaemonSocket {
        DaemonSocket(path: system, daemonUser: systemUser, isOnlyPlace: true)
    }

    /// Whom the system's daemon runs as: root alone can make a folder there, and give it to somebody.
    private static var systemUser: UInt32? {
        guard let run = FileStatus(of: "/run"), run.is_folder, run.owner == 0, run.permissions & 0o022 == 0,
            let folder = FileStatus(of: "/run/llavero"), folder.is_folder, folder.permissions & 0o022 == 0
        else { return nil }
        return folder.owner
    }
}
