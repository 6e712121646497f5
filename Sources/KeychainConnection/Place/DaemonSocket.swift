// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel
internal import KeychainRequest
package import KeychainTransport

/// Where a daemon listens.
package struct DaemonSocket: Sendable, Equatable {
    package let path: String
    /// Where it listens if it was started otherwise than this process would start it: in a session, or without one.
    var otherPath: String?
    /// Whom the daemon may run as, beside root and this user.
    package let daemonUser: UInt32?
    /// Whether only the daemon can have the keychain: then this process opens none of its own when the daemon is away.
    let isOnlyPlace: Bool
    /// Whether the daemon is told in which folder the keychain is, for its own may be another one.
    var namesFolder = false

    /// The socket to go to before anything else, if there is one for this place.
    ///
    /// `LLAVERO_SOCKET` says it, and the keychains of `LLAVERO_HOME` have a daemon of their own. Else it is the user's own
    /// daemon, or the system's, unless the user has a keychain already. Tests have nothing to do with any.
    static func named(by environment: Environment, for place: Place, isTest: Bool) -> DaemonSocket? {
        // Whatever the session that tests are started from says: what they keep in memory is of no daemon.
        if isTest, case .memory = place { return nil }
        if let path = environment["LLAVERO_SOCKET"] {
            let system = ofSystem(environment)
            return path == system.path ? system : DaemonSocket(path: path, daemonUser: nil, isOnlyPlace: false)
        }
        guard !isTest, case .folder(let root, let name) = place else { return nil }
        let agent = ofAgent(environment)
        // The session's daemon may have been started with the session's `XDG_DATA_HOME`, or with none.
        if agent == nil, let session = ofSessionElsewhere(environment) { return session }
        let own = agent ?? ofOwn(environment)
        guard environment["LLAVERO_HOME"] == nil else { return own }
        // One that cannot be reached is the user's own all the same, and opening it says why it fails; but not where the whole home
        // is hidden from a service.
        let isThere = (try? KeychainFolder(root: root, name: name).exists) ?? true
        let hasKeychain = isThere && !Place.isHomeClosed(environment)
        let system = ofSystem(environment)
        if !hasKeychain, system.isExpected, hasHomeOfAccount(environment), !(own?.isServed ?? false) { return system }
        return own
    }

    /// Whether somebody listens there: a daemon that ended may have left its socket.
    private var isServed: Bool {
        FileStatus(of: path) != nil && SocketSession(path: path, daemonUser: daemonUser).isReachable
    }

    /// Where the user's own daemon listens, or would be started.
    private static func ofOwn(_ environment: Environment) -> DaemonSocket? {
        guard !Environment.isPrivileged else {
            return ofUser(environment).map { DaemonSocket(path: $0, daemonUser: nil, isOnlyPlace: false) }
        }
        let session = inSession(environment)
        let isInSession = session.map { FileStatus(of: $0) != nil } ?? false
        guard let path = isInSession ? session : ofUser(environment) else { return nil }
        return DaemonSocket(
            path: path, otherPath: path == session ? besideKeychains(environment) : session, daemonUser: nil,
            isOnlyPlace: false)
    }

    /// Where a daemon of the user's is started: in the folder that a session has for such things, else beside the keychains.
    ///
    /// The latter in containers, CI and cron, and where the keychains are not those of the account; one of cron's does not end
    /// with a session that happens to be there. nil where no path is short enough.
    ///
    /// A program that has more rights than who started it believes no variable, and looks where systemd makes that folder.
    package static func ofUser(_ environment: Environment) -> String? {
        if Environment.isPrivileged { return "/run/user/\(getuid())" + inSession }
        if namedSessionFolder(environment) != nil, let session = inSession(environment) { return session }
        return besideKeychains(environment) ?? inSession(environment)
    }

    /// The socket of a daemon that was started in the user's session; nil where there is none, or the keychains are not the account's.
    private static func inSession(_ environment: Environment) -> String? {
        guard environment["LLAVERO_HOME"] == nil, let folder = sessionFolder(environment),
            !isUsual(folder) || isOfAccount(environment)
        else { return nil }
        return folder + inSession
    }

    /// The folder that a session has for sockets and the like, also for who comes from outside, as cron does; nil where there is no session.
    private static func sessionFolder(_ environment: Environment) -> String? {
        if let folder = namedSessionFolder(environment) { return folder }
        guard let status = FileStatus(of: usualSessionFolder), status.owner == geteuid() else { return nil }
        return usualSessionFolder
    }

    /// The same for who is in the session.
    private static func namedSessionFolder(_ environment: Environment) -> String? {
        // After `su` or with `sudo -E` it may still be another user's, where nothing of this one has a place.
        guard let folder = environment["XDG_RUNTIME_DIR"], FileStatus(of: folder)?.owner ?? geteuid() == geteuid()
        else { return nil }
        return folder
    }

    private static var usualSessionFolder: String { "/run/user/\(geteuid())" }

    /// However it is written.
    private static func isUsual(_ folder: String) -> Bool {
        folder == usualSessionFolder || Place.canonical(folder) == Place.canonical(usualSessionFolder)
    }

    /// Whether the keychains are those of the user's account, which the daemon of the session has.
    ///
    /// A script that gives a command a home of its own (`HOME=$(mktemp -d)`) means to keep it apart, and a daemon that it starts
    /// must not be asked by the user's other programs for their keychains.
    private static func isOfAccount(_ environment: Environment) -> Bool {
        guard hasHomeOfAccount(environment) else { return false }
        guard let data = environment["XDG_DATA_HOME"], data.begins(with: "/"), let home = environment.home else {
            return true
        }
        return Place.canonical(data) == Place.canonical(home + Place.dataFolder)
    }

    private static func hasHomeOfAccount(_ environment: Environment) -> Bool {
        // A user that the database does not know, as in some containers, has no other home.
        guard let home = environment.home, let account = Environment.homeOfUser() else { return true }
        if home == account || Place.canonical(home) == Place.canonical(account) { return true }
        // `unshare -r` makes the user root, and leaves HOME and the account as they are.
        guard UserNamespace.isOfItsOwn, let user = UserNamespace.outside(geteuid()),
            let outside = Environment.home(of: user)
        else { return false }
        return Place.canonical(home) == Place.canonical(outside)
    }

    /// The daemon of the session, where it runs and `XDG_DATA_HOME` puts the keychains of the account elsewhere.
    private static func ofSessionElsewhere(_ environment: Environment) -> DaemonSocket? {
        guard !Environment.isPrivileged, environment["LLAVERO_HOME"] == nil, environment["XDG_DATA_HOME"] != nil,
            let folder = sessionFolder(environment), hasHomeOfAccount(environment), !isOfAccount(environment)
        else { return nil }
        let path = folder + inSession
        guard FileStatus(of: path) != nil, SocketSession(path: path, daemonUser: nil).isReachable else { return nil }
        return DaemonSocket(path: path, daemonUser: nil, isOnlyPlace: false, namesFolder: true)
    }

    /// The socket of one that was started without a session, and runs: it serves those who have one too.
    private static func ofAgent(_ environment: Environment) -> DaemonSocket? {
        guard !Environment.isPrivileged, let path = besideKeychains(environment), let session = inSession(environment),
            FileStatus(of: path) != nil, SocketSession(path: path, daemonUser: nil).isReachable
        else { return nil }
        return DaemonSocket(path: path, otherPath: session, daemonUser: nil, isOnlyPlace: false)
    }

    /// Where programs look first: who listens there serves those in a session, too.
    package static func besideKeychains(_ environment: Environment) -> String? {
        guard let path = try? Place.root(named: environment) + "/.agent", path.utf8.count <= longestPath else {
            return nil
        }
        return path
    }

    private static let inSession = "/llavero/socket"
    /// The kernel takes no longer one.
    private static let longestPath = 107

    /// Whether keychains of users are with the system's daemon: its socket is there, or root has systemd make it.
    ///
    /// Who made a keychain of their own while the daemon is away would not see their items when it is back.
    private var isExpected: Bool {
        FileStatus(of: path) != nil || path == DaemonSocket.system && FileStatus(of: DaemonSocket.enabledUnit) != nil
    }

    /// Whether it keeps keychains of any users: each has a folder, which the number of links tells where nobody may look.
    private var hasUsers: Bool {
        path == DaemonSocket.system && (FileStatus(of: DaemonSocket.systemStore)?.links ?? 0) > 2
    }

    /// What `systemctl enable llaverod.socket` makes.
    private static let enabledUnit = "/etc/systemd/system/sockets.target.wants/llaverod.socket"

    /// What the system's daemon has for the place of a keychain that this user has, too.
    package static func systemsOther(for place: Place, in environment: Environment) -> OtherKeychain {
        guard environment["LLAVERO_HOME"] == nil, environment["LLAVERO_SOCKET"] == nil, case .folder = place else {
            return .none
        }
        let isOfHome = hasHomeOfAccount(environment)
        let system = ofSystem(environment)
        guard system.isExpected else { return system.hasUsers ? .stopped : .none }
        let session = SocketSession(
            path: system.path, daemonUser: system.daemonUser,
            choice: KeychainChoice(KeychainAddress(of: place, in: environment), claimsPasswords: false, makesIt: false))
        guard session.isReachable else { return isOfHome ? .silent : .none }
        guard (try? session.isSaidToBeThere) ?? false else { return .none }
        return isOfHome ? .there : .ofOtherHome
    }

    /// Whether the system's daemon runs, and would have the keychain, were it not in a folder of its user's.
    package static func systemMightHave(_ place: Place, in environment: Environment) -> Bool {
        guard environment["LLAVERO_HOME"] == nil, environment["LLAVERO_SOCKET"] == nil, case .folder = place,
            hasHomeOfAccount(environment)
        else { return false }
        return ofSystem(environment).isExpected && !isWithSystem(place)
    }

    /// Another keychain of the same name.
    package enum OtherKeychain {
        case none
        case there
        /// It is there for who has the account's `HOME`, and this is another one.
        case ofOtherHome
        /// Its daemon does not answer.
        case silent
        /// Nobody knows: the system's daemon is not enabled any more, and keeps keychains of some users.
        case stopped
    }

    /// The socket of the system's daemon.
    package static let system = "/run/llavero/socket"

    /// The way to the system's daemon, for who has to do with no keychain; `path` is its socket.
    package static func systemService(_ environment: Environment) -> SocketSession {
        let socket = ofSystem(environment)
        return SocketSession(path: socket.path, daemonUser: socket.daemonUser)
    }

    /// Where the system's daemon keeps its users' keychains, each user's in a folder of its own.
    package static let systemStore = "/var/lib/llavero"

    /// Whether the keychain is one of those that the system's daemon has for its users: only an administrator opens it otherwise.
    package static func isOfSystemStore(_ place: Place) -> Bool {
        guard case .folder(let root, _) = place else { return false }
        return Place.canonical(root).begins(with: systemStore + "/")
    }

    /// Whether the system's daemon has it at this moment, or would have it with the next call of its user.
    package static func isWithSystem(_ place: Place) -> Bool {
        isOfSystemStore(place) && SocketSession(path: system, daemonUser: systemUser).isReachable
    }

    /// `LLAVERO_SYSTEM_SOCKET` says where a daemon of the system's is that listens elsewhere: one of root's, for of that place
    /// nothing is known that tells whom root gave it to.
    private static func ofSystem(_ environment: Environment) -> DaemonSocket {
        guard let path = environment["LLAVERO_SYSTEM_SOCKET"], path != system else {
            return DaemonSocket(path: system, daemonUser: systemUser, isOnlyPlace: true)
        }
        return DaemonSocket(path: path, daemonUser: nil, isOnlyPlace: true)
    }

    /// Whom the system's daemon runs as: root alone can make a folder there, and give it to another user.
    private static var systemUser: UInt32? {
        guard let run = FileStatus(of: "/run"), run.is_folder, run.owner == 0, run.permissions & 0o022 == 0,
            let folder = FileStatus(of: "/run/llavero"), folder.is_folder, folder.permissions & 0o022 == 0
        else { return nil }
        return folder.owner
    }
}
