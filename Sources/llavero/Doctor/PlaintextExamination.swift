// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// Passwords and tokens that other programs keep in plain text, in the files that each is known to have them in.
///
/// The files are read and never changed; of what is found nothing is shown but the line. What is said to be done about it is
/// commands for a shell, as they stand.
enum PlaintextExamination {
    static func findings() -> [Diagnosis] {
        var findings: [Diagnosis] = []
        let home = absolute("HOME") ?? homeOfUser
        if home == nil {
            findings.append(
                .advice(
                    "plaintext",
                    "where your home is cannot be said, so what docker, git and others keep there was not looked through",
                    fix: "export HOME=/your/home  # and then llavero doctor again"))
        }
        var seen: Set<String> = []
        var count = 0
        for place in places(home) where seen.insert(place.path).inserted {
            guard let found = examined(place) else { continue }
            findings += found
            count += 1
        }
        if findings.isEmpty {
            // No more than was looked at: each of them can be told to use another file.
            findings.append(
                .good(
                    "plaintext",
                    "docker, podman, git, gh, pip, twine, npm, cargo and netrc keep no password in the files they usually write to (\(count) looked at)"
                )
            )
        }
        return findings
    }

    /// A file, and how it is read.
    struct Place {
        let path: String
        let form: PlaintextForm
    }

    /// Those in `home` only where it is known.
    private static func places(_ home: String?) -> [Place] {
        func within(_ folder: String?, _ name: String) -> String? { folder.map { "\($0)/\(name)" } }
        let config = absolute("XDG_CONFIG_HOME") ?? within(home, ".config")
        var places: [Place] = []
        func add(_ form: PlaintextForm, _ paths: String?...) {
            places += paths.compactMap { path in path.map { Place(path: $0, form: form) } }
        }
        add(.docker, within(absolute("DOCKER_CONFIG") ?? within(home, ".docker"), "config.json"))
        add(
            .containers, absolute("REGISTRY_AUTH_FILE"),
            within(absolute("XDG_RUNTIME_DIR"), "containers/auth.json"), "/run/containers/\(geteuid())/auth.json",
            within(config, "containers/auth.json"), within(home, ".config/containers/auth.json"))
        add(.gitStore, within(home, ".git-credentials"), within(config, "git/credentials"))
        add(
            .gitConfiguration, absolute("GIT_CONFIG_GLOBAL") ?? within(home, ".gitconfig"),
            within(config, "git/config"))
        add(.gh, within(absolute("GH_CONFIG_DIR") ?? within(config, "gh"), "hosts.yml"))
        add(.pip, absolute("PIP_CONFIG_FILE"), within(config, "pip/pip.conf"), within(home, ".pip/pip.conf"))
        add(.pypirc, within(home, ".pypirc"))
        // npm reads the name in small letters as well, and prefers neither.
        add(.npm, absolute("npm_config_userconfig"), absolute("NPM_CONFIG_USERCONFIG"), within(home, ".npmrc"))
        let cargo = absolute("CARGO_HOME") ?? within(home, ".cargo")
        add(.cargo, within(cargo, "credentials.toml"), within(cargo, "credentials"))
        add(.netrc, absolute("NETRC"), within(home, ".netrc"), within(home, ".authinfo"))
        return places
    }

    /// The one that the user database has; nil where it has none.
    private static var homeOfUser: String? {
        guard let entry = unsafe getpwuid(geteuid()), let folder = unsafe entry.pointee.pw_dir else { return nil }
        let path = unsafe String(cString: folder)
        return path.hasPrefix("/") ? path : nil
    }

    private static func absolute(_ variable: String) -> String? {
        ProgramSearch.variable(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// nil where there is no such file.
    private static func examined(_ place: Place) -> [Diagnosis]? {
        let file: File
        do throws(Unread) {
            guard let found = try File(place.path) else { return nil }
            file = found
        } catch {
            return [
                .advice(
                    "plaintext",
                    "\(PlainText.shown(place.path)) may keep passwords, and was not looked through: \(error.reason)",
                    fix: "ls -ld \(ShellWord.quoted(place.path))  # shows what it is, and whose")
            ]
        }
        let finds: [PlaintextFind]
        do throws(PlaintextForm.Malformed) { finds = try place.form.finds(in: file.text, at: place.path) } catch {
            return [
                .advice(
                    "plaintext",
                    "\(PlainText.shown(place.path)) may keep passwords, and is not written as its program writes it",
                    fix: "ls -ld \(ShellWord.quoted(place.path))  # look into it with an editor")
            ]
        }
        let shown = finds.prefix(mostShown).map { find in
            Diagnosis.advice(
                "plaintext",
                "\(PlainText.shown(place.path)), \(lines(find.lines)): \(find.what)"
                    + (file.isOpenToOthers ? ", which other users can read" : ""), fix: find.fix)
        }
        if finds.count <= mostShown { return shown }
        return shown + [
            .advice(
                "plaintext", "\(PlainText.shown(place.path)): and \(finds.count - mostShown) more",
                fix: "llavero doctor  # again, after those above")
        ]
    }

    /// Such as "line 3" and "lines 1, 2 and 5".
    private static func lines(_ numbers: [Int]) -> String {
        guard numbers.count > 1, let last = numbers.last else { return "line \(numbers.first ?? 1)" }
        let most = 5
        if numbers.count > most {
            return
                "lines \(numbers.prefix(most).map { String($0) }.joined(separator: ", ")) and \(numbers.count - most) more"
        }
        return "lines \(numbers.dropLast().map { String($0) }.joined(separator: ", ")) and \(last)"
    }

    private static let mostShown = 10

    /// Why a file that is there was not read.
    private struct Unread: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
        init(code: Int32) { reason = unsafe String(cString: strerror(code)) }
    }

    private struct File {
        let text: PlaintextText
        let isOpenToOthers: Bool

        /// nil where there is none.
        init?(_ path: String) throws(Unread) {
            // A pipe is not waited for.
            let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard file >= 0 else {
                if errno == ENOENT || errno == ENOTDIR { return nil }
                throw Unread(code: errno)
            }
            defer { close(file) }
            var facts = stat()
            guard unsafe fstat(file, &facts) == 0 else { throw Unread(code: errno) }
            guard facts.st_mode & S_IFMT == S_IFREG else { throw Unread("it is no file") }
            guard facts.st_size <= File.most else { throw Unread("it is larger than such a file can be") }
            isOpenToOthers = facts.st_mode & 0o044 != 0
            text = PlaintextText(
                try unsafe SecretValue(count: Int(facts.st_size)) { (buffer) throws(Unread) in
                    var done = 0
                    while done < buffer.count {
                        let count = unsafe pread(
                            file, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done, off_t(done))
                        if count < 0, errno == EINTR { continue }
                        guard count >= 0 else { throw Unread(code: errno) }
                        // It became shorter: the rest stays zero, and zeros say nothing.
                        if count == 0 { return }
                        done += count
                    }
                })
        }

        private static let most: off_t = 1 << 20
    }
}
