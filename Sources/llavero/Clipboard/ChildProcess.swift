// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainTools

/// A child process and its standard input and output.
struct ChildProcess {
    let number: pid_t

    /// Starts it; nil descriptors are /dev/null.
    init(
        _ words: [String], input: Int32?, output: Int32?, inSessionOfItsOwn: Bool
    ) throws(CommandError) {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        for (descriptor, place, mode) in [(input, 0, O_RDONLY), (output, 1, O_WRONLY), (nil, 2, O_WRONLY)] {
            if let descriptor {
                unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place))
            } else {
                unsafe posix_spawn_file_actions_addopen(&actions, Int32(place), "/dev/null", mode, 0)
            }
        }
        // POSIX_SPAWN_SETSID, which glibc declares for _GNU_SOURCE only.
        if inSessionOfItsOwn { unsafe posix_spawnattr_setflags(&attributes, 0x80) }
        var arguments = unsafe words.map { unsafe strdup($0) }
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        unsafe arguments.append(nil)
        var number: pid_t = 0
        let failure = unsafe posix_spawn(&number, words[0], &actions, &attributes, arguments, environ)
        guard failure == 0 else {
            throw .failure("\(words[0]) cannot be started: \(unsafe String(cString: strerror(failure)))")
        }
        self.number = number
    }

    /// Starts a program that ends with this process and reads `input`.
    init(dependent words: [String], input: Int32) throws(CommandError) {
        var arguments = unsafe words.map { unsafe strdup($0) }
        defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
        unsafe arguments.append(nil)
        var number: Int32 = 0
        let failure = unsafe llv_dependent_start(&number, words[0], arguments, environ, input)
        guard failure == 0 else {
            throw .failure("\(words[0]) cannot be started: \(unsafe String(cString: strerror(failure)))")
        }
        self.number = number
    }

    /// Its exit status; nil while it runs.
    func ending(waits: Bool) -> Int32? {
        var status: Int32 = 0
        var result: pid_t
        repeat { result = unsafe waitpid(number, &status, waits ? 0 : WNOHANG) } while result < 0 && errno == EINTR
        return result == number ? status : nil
    }

    /// A pipe for a child process; both ends are close-on-exec.
    static func line() throws(CommandError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw .failure("a pipe cannot be made (\(errno))") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// Finds programs by name.
enum ProgramSearch {
    /// Its path in PATH; nil if it is not there. What the tool runs by itself comes from no folder that depends on where one stands.
    static func path(of name: String, inRelativeFolders: Bool = false) -> String? {
        let path = variable("PATH") ?? "/usr/bin:/bin"
        for folder in path.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: !inRelativeFolders) {
            guard inRelativeFolders || folder.first == UInt8(ascii: "/") else { continue }
            let candidate = folder.isEmpty ? "./\(name)" : "\(String(folder) ?? "")/\(name)"
            var status = stat()
            if unsafe access(candidate, X_OK) == 0, unsafe stat(candidate, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            {
                return candidate
            }
        }
        return nil
    }

    /// nil also for an empty variable.
    static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }
}
