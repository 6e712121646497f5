// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import KeychainConnection
internal import KeychainModel

/// The daemon that the tool starts for its user, so that what was unlocked stays so when the command has ended.
package struct Agent {
    private let program: String
    private let socket: String
    private let host: FollowingHost

    /// Finds out what would be started and where; refuses where programs would not find it.
    package init(for host: FollowingHost) throws(CommandError) {
        guard !Environment.isPrivileged else {
            throw .failure("this program has more rights than you; start llaverod yourself")
        }
        guard let socket = host.socket else {
            throw .failure(
                """
                there is no place for the socket of a daemon, so an unlock would end with this command; set LLAVERO_SOCKET to a \
                short path in a folder of yours, for your programs too
                """)
        }
        guard socket.hasPrefix("/") else { throw .failure("LLAVERO_SOCKET is to be an absolute path") }
        try Agent.refuseHopeless(socket)
        guard let program = Agent.installed(beside: Environment.current().executable) else {
            throw .failure("there is no llaverod beside this program; start the one you have, and try again")
        }
        (self.program, self.socket, self.host) = (program, socket, host)
    }

    /// The daemon makes the folder of its socket, and none above it.
    private static func refuseHopeless(_ socket: String) throws(CommandError) {
        func parent(_ path: String) -> String {
            path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "/"
        }
        let folder = parent(socket)
        let isThere = unsafe access(folder, F_OK) == 0
        guard unsafe access(isThere ? folder : parent(folder), W_OK | X_OK) != 0 else { return }
        let code = errno
        // Beside the keychains, which are made with the first item.
        if !isThere, code == ENOENT, socket.hasSuffix("/.agent") { return }
        throw .failure(
            """
            llaverod cannot make its socket \(PlainText.shown(socket)): \(unsafe String(cString: strerror(code))); XDG_RUNTIME_DIR should name the folder of your \
            session, or be unset, and LLAVERO_SOCKET a path in a folder of yours
            """)
    }

    /// Starts it, and returns when it serves; `host` goes to it from then on.
    package func start() throws(CommandError) {
        if host.meetDaemon() { return }
        var child = try spawn()
        for _ in 0..<Agent.mostPauses {
            // Another tool's may have been faster, and that is as good.
            if host.meetDaemon() { return }
            var status: Int32 = 0
            if child > 0, unsafe waitpid(child, &status, WNOHANG) == child {
                child = 0
                if host.meetDaemon() { return }
                throw .failure("llaverod ended at once; run \(program) --socket \(socket) to see why")
            }
            var pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
            unsafe nanosleep(&pause, nil)
        }
        kill(child, SIGTERM)
        throw .failure("llaverod does not answer at \(socket)")
    }

    /// With nothing open of what is open here: a passcode may still be in a descriptor.
    private func spawn() throws(CommandError) -> pid_t {
        let arguments = [program, "--agent", "--socket", socket]
        let words = unsafe arguments.map { unsafe strdup($0) }
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        let variables = unsafe Agent.variables()
        var child: pid_t = 0
        let failure = unsafe llv_service_start(&child, program, words + [nil], variables + [nil])
        guard failure == 0 else { throw .failure("\(program) cannot be started (\(failure))") }
        return child
    }

    /// Those of this process, but for what a service manager meant for it alone.
    private static func variables() -> [UnsafeMutablePointer<CChar>?] {
        let others: [StaticString] = [
            "NOTIFY_SOCKET=", "LISTEN_", "WATCHDOG_", "CREDENTIALS_DIRECTORY=", "INVOCATION_ID=",
            // Which keychain this program means is said with every connection.
            "LLAVERO_KEYCHAIN=",
        ]
        var kept: [UnsafeMutablePointer<CChar>?] = unsafe []
        var place = unsafe environ
        while let entry = unsafe place.pointee {
            let isOthers = others.contains { prefix in
                unsafe strncmp(
                    entry, UnsafeRawPointer(prefix.utf8Start).assumingMemoryBound(to: CChar.self),
                    prefix.utf8CodeUnitCount) == 0
            }
            if !isOthers { unsafe kept.append(entry) }
            unsafe place += 1
        }
        return unsafe kept
    }

    /// The daemon that was installed, or built, together with this program.
    private static func installed(beside executable: String?) -> String? {
        guard let executable, let end = executable.lastIndex(of: "/") else { return nil }
        let folder = executable[..<end]
        var places = ["\(folder)/llaverod"]
        if let end = folder.lastIndex(of: "/") {
            let prefix = folder[..<end]
            places += ["\(prefix)/libexec/llavero/llaverod", "\(prefix)/libexec/llaverod", "\(prefix)/bin/llaverod"]
        }
        return places.first { unsafe access($0, X_OK) == 0 }
    }

    /// A minute, twenty milliseconds at a time: it ends earlier when llaverod answers or has ended, and a busy machine is slow.
    private static let mostPauses = 3000
}
