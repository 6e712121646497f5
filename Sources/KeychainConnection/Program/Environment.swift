// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainAuthentication
internal import KeychainRequest

/// What the process was told by its surroundings; read here and nowhere else.
package struct Environment: Sendable {
    private let variables: [String: String]
    /// The home folder of the user, from the user database where the environment is not to be believed.
    package let home: String?
    /// The path of the program's own file.
    package let executable: String?

    package init(variables: [String: String], home: String?, executable: String?) {
        self.variables = variables
        self.home = home
        self.executable = executable
    }

    package subscript(name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    /// The variables we look at.
    ///
    /// A program that runs with more rights than its caller sees none of them.
    package static func current() -> Environment {
        var variables: [String: String] = [:]
        if !llv_is_secure_execution() {
            for name in names {
                if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
            }
        }
        return Environment(variables: variables, home: variables["HOME"] ?? homeOfUser(), executable: ownPath())
    }

    /// The program's arguments, its name first.
    ///
    /// Swift's own come from /proc, which is missing in bare containers and in a chroot.
    package static var arguments: [String] {
        (0..<llv_argument_count()).compactMap { index in
            unsafe llv_argument(index).map { unsafe String(cString: $0) }
        }
    }

    /// Whether the program runs with more rights than its caller.
    package static var isPrivileged: Bool { llv_is_secure_execution() }

    /// What a program that asks a person may need to know of where the person is.
    package static func forPrompts() -> [String: String] {
        if isPrivileged { return [:] }
        var variables: [String: String] = [:]
        for name in PromptEnvironment.names + ["PINENTRY", PromptEnvironment.refusal] {
            if let value = unsafe getenv(name) { variables[name] = unsafe String(cString: value) }
        }
        return variables
    }

    /// What a daemon may need to know of where the person is; a value that it would refuse is left out.
    static func terminal() -> ClientTerminal? {
        if isPrivileged { return nil }
        return ClientTerminal(
            ClientTerminal.names.compactMap { name in
                guard let value = unsafe getenv(name).map({ unsafe String(cString: $0) }),
                    ClientTerminal.allows(value, for: name)
                else { return nil }
                return ClientTerminal.Variable(name: name, value: value)
            })
    }

    private static let names = [
        "HOME", "XDG_DATA_HOME", "LLAVERO_HOME", "LLAVERO_KEYCHAIN", "LLAVERO_TEST_KEYCHAIN", "LLAVERO_LOG",
        "LLAVERO_SOCKET", "LLAVERO_SYSTEM_SOCKET", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "SSH_ASKPASS_PROMPT",
        "LLAVERO_ENCLAVE", "LLAVERO_RECOVERY", "LLAVERO_TPM", "CREDENTIALS_DIRECTORY",
        "XCTestConfigurationFilePath", "XCTestBundlePath", "TMPDIR",
    ]

    /// The home folder that the user database has for this user, whatever `HOME` says; nil where it does not know the user.
    package static func homeOfUser() -> String? {
        let known = atFirst
        return known.user == geteuid() ? known.home : home(of: geteuid())
    }

    /// Asked for once: the database may be a server's.
    private static let atFirst = (user: geteuid(), home: home(of: geteuid()))

    /// What the user database says of a user.
    package enum Account: Sendable, Equatable {
        case known(home: String)
        /// It has no such user.
        case unknown
        /// It, or the directory behind it, did not answer; an errno.
        case unanswered(Int32)
    }

    /// The home folder that the user database has for a user.
    package static func home(of user: UInt32) -> String? {
        if case .known(let home) = account(of: user) { home } else { nil }
    }

    package static func account(of user: UInt32) -> Account {
        for size in [1 << 12, 1 << 16, 1 << 20] {
            var (entry, found) = unsafe (passwd(), UnsafeMutablePointer<passwd>?.none)
            var texts = [CChar](repeating: 0, count: size)
            var account = Account.unknown
            let failure = unsafe texts.withUnsafeMutableBufferPointer { texts -> Int32 in
                guard let start = texts.baseAddress else { return EINVAL }
                let failure = unsafe getpwuid_r(user, &entry, start, size, &found)
                if failure == 0, let folder = unsafe found?.pointee.pw_dir {
                    account = .known(home: unsafe String(cString: folder))
                }
                return failure
            }
            if failure == 0 { return account }
            if failure != ERANGE { return .unanswered(failure) }
        }
        return .unanswered(ERANGE)
    }

    /// The kernel says so of a program whose file was replaced while it runs, as every upgrade does.
    private static func fileThatRuns(_ link: String) -> String {
        let mark = " (deleted)"
        guard link.hasSuffix(mark), unsafe access(link, F_OK) != 0 else { return link }
        return String(link.dropLast(mark.count))
    }

    private static func ownPath() -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return fileThatRuns(String(decoding: buffer[0..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}

/// Whether this process runs tests, which must not touch the user's real keychain.
package enum TestRunner {
    package static func isRunning(in environment: Environment) -> Bool {
        if environment["XCTestConfigurationFilePath"] != nil || environment["XCTestBundlePath"] != nil { return true }
        guard let executable = environment.executable else { return false }
        let name = executable.split(separator: "/").last.map(String.init) ?? ""
        return name == "xctest" || name == "swiftpm-testing-helper" || name == "swiftpm-xctest-helper"
            || name.hasSuffix(".xctest") || name.hasSuffix("PackageTests")
    }
}
