// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// Finds passwords and tokens that other programs keep in plain text, in their known files.
///
/// The files are read and never changed; of a finding only the line number is shown. The advice consists of shell commands
/// that can be run as they are.
enum PlaintextExamination {
    static func findings() -> [Diagnosis] {
        var findings: [Diagnosis] = []
        let home = absolute("HOME") ?? homeOfUser
        if home == nil {
            findings.append(
                .advice(
                    "plaintext",
                    "your home folder is not known, so the files of docker, git and others there were not examined",
                    fix: "export HOME=/your/home  # then run llavero doctor again"))
        }
        var seen: Set<String> = []
        var count = 0
        for place in places(home) where seen.insert(place.path).inserted {
            guard let found = examined(place) else { continue }
            findings += found
            count += 1
        }
        if findings.isEmpty {
            // Names only the files that were read: each program can be configured to use another one.
            findings.append(
                .good(
                    "plaintext",
                    "the usual files of docker, podman, git, gh, pip, twine, npm, cargo and netrc have no plaintext passwords (\(count) examined)"
                )
            )
        }
        return findings
    }

    /// The files that there are, for who looks in them for something else; and how many could not be read.
    ///
    /// Those of shells and databases have no form of which the examination could tell passwords from other text.
    static func files() -> (read: [(path: String, text: PlaintextText)], unread: Int) {
        let home = absolute("HOME") ?? homeOfUser
        let config = absolute("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" }
        let others = home.map { home in formless.map { "\(home)/\($0)" } } ?? []
        var paths = places(home).map(\.path) + others
        if let config { paths.append("\(config)/rclone/rclone.conf") }
        var (read, unread, seen): ([(path: String, text: PlaintextText)], Int, Set<String>) = ([], 0, [])
        for path in paths where seen.insert(path).inserted {
            do throws(CommandError) {
                if let file = try File(path) { read.append((path, file.text)) }
            } catch { unread += 1 }
        }
        return (read, unread)
    }

    private static let formless = [
        ".bash_history", ".zsh_history", ".python_history", ".psql_history", ".mysql_history", ".pgpass", ".my.cnf",
        ".aws/credentials", ".s3cfg", ".env", ".bashrc", ".zshrc", ".profile", ".ssh/config",
        ".local/share/fish/fish_history",
    ]

    /// A file and its format.
    struct Candidate {
        let path: String
        let form: PlaintextForm
    }

    /// Files in `home` only where that is known.
    private static func places(_ home: String?) -> [Candidate] {
        func within(_ folder: String?, _ name: String) -> String? { folder.map { "\($0)/\(name)" } }
        let config = absolute("XDG_CONFIG_HOME") ?? within(home, ".config")
        var places: [Candidate] = []
        func add(_ form: PlaintextForm, _ paths: String?...) {
            places += paths.compactMap { path in path.map { Candidate(path: $0, form: form) } }
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
        // npm reads both spellings, and prefers neither.
        add(.npm, absolute("npm_config_userconfig"), absolute("NPM_CONFIG_USERCONFIG"), within(home, ".npmrc"))
        let cargo = absolute("CARGO_HOME") ?? within(home, ".cargo")
        add(.cargo, within(cargo, "credentials.toml"), within(cargo, "credentials"))
        add(.netrc, absolute("NETRC"), within(home, ".netrc"), within(home, ".authinfo"))
        return places
    }

    /// The home folder in the user database; nil without one.
    private static var homeOfUser: String? { Environment.homeOfUser().flatMap { $0.hasPrefix("/") ? $0 : nil } }

    private static func absolute(_ variable: String) -> String? {
        ProgramSearch.variable(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// nil if the file does not exist.
    private static func examined(_ place: Candidate) -> [Diagnosis]? {
        let file: File
        do throws(CommandError) {
            guard let found = try File(place.path) else { return nil }
            file = found
        } catch {
            return [
                .advice(
                    "plaintext",
                    "\(PlainText.shown(place.path)) may have passwords, but was not examined: \(error.description)",
                    fix: "ls -ld \(ShellWord.quoted(place.path))  # shows its kind and its owner")
            ]
        }
        let finds: [PlaintextFind]
        do throws(CodingError) { finds = try place.form.finds(in: file.text, at: place.path) } catch {
            return [
                .advice(
                    "plaintext",
                    "\(PlainText.shown(place.path)) may have passwords, but is malformed",
                    fix: "ls -ld \(ShellWord.quoted(place.path))  # then open it in an editor")
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
                fix: "llavero doctor  # again, once those above are fixed")
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

    private struct File {
        let text: PlaintextText
        let isOpenToOthers: Bool

        /// nil if it does not exist.
        init?(_ path: String) throws(CommandError) {
            // Opening a pipe must not block.
            let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard file >= 0 else {
                if errno == ENOENT || errno == ENOTDIR { return nil }
                throw .failure(unsafe String(cString: strerror(errno)))
            }
            defer { close(file) }
            var facts = stat()
            guard unsafe fstat(file, &facts) == 0 else { throw .failure(unsafe String(cString: strerror(errno))) }
            guard facts.st_mode & S_IFMT == S_IFREG else { throw .failure("it is not a regular file") }
            guard facts.st_size <= File.most else { throw .failure("it is too large") }
            isOpenToOthers = facts.st_mode & 0o044 != 0
            text = PlaintextText(
                try unsafe SecretValue(count: Int(facts.st_size)) { (buffer) throws(CommandError) in
                    var done = 0
                    while done < buffer.count {
                        let count = unsafe pread(
                            file, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done, off_t(done))
                        if count < 0, errno == EINTR { continue }
                        guard count >= 0 else { throw CommandError.failure(unsafe String(cString: strerror(errno))) }
                        // The file became shorter: the rest stays zero, which matches nothing.
                        if count == 0 { return }
                        done += count
                    }
                })
        }

        private static let most: off_t = 1 << 20
    }
}
