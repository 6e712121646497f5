// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainTools

/// Plaintext passwords in a file, and the commands that move them into the keychain.
struct PlaintextFind {
    let lines: [Int]
    let what: String
    /// Shell commands, which do not show the password either.
    let fix: String
}

/// The format of a program's password file.
enum PlaintextForm {
    case docker
    case containers
    case gitStore
    case gitConfiguration
    case gh
    case pip
    case pypirc
    case npm
    case cargo
    case netrc

    /// Throws for the JSON formats; other files cannot be malformed.
    func finds(in text: PlaintextText, at path: String) throws(CodingError) -> [PlaintextFind] {
        switch self {
        case .docker: try PlaintextForm.docker(text, ShellWord.quoted(path))
        case .containers: try PlaintextForm.containers(text, ShellWord.quoted(path))
        case .gitStore: PlaintextForm.gitStore(text, ShellWord.quoted(path))
        case .gitConfiguration: PlaintextForm.gitConfiguration(text, ShellWord.quoted(path))
        case .gh: PlaintextForm.gh(text, ShellWord.quoted(path))
        case .pip: PlaintextForm.pip(text, ShellWord.quoted(path))
        case .pypirc: PlaintextForm.pypirc(text, ShellWord.quoted(path))
        case .npm: PlaintextForm.npm(text, ShellWord.quoted(path))
        case .cargo: PlaintextForm.cargo(text, ShellWord.quoted(path))
        case .netrc:
            PlaintextForm.netrc(text, ShellWord.quoted(path), path.hasSuffix("authinfo") ? "authinfo" : "netrc")
        }
    }

    /// Removes the file itself, also where the path is a link to it.
    static func removal(of path: String) -> String { "rm \"$(readlink -f \(path))\"" }
}

/// Builds the commands that move the secret of one or several lines into an item.
struct LineMover {
    /// A line, and the sed commands that reduce it to the secret.
    struct Part {
        let line: Int
        let after: String
    }

    /// Removes white space at the end, such as the carriage return of other systems' line ends.
    static let endWithoutSpace = "s/[[:space:]]*$//"
    /// Removes quotes around a value, as the program does; written for use within single quotes.
    static let withoutQuotes = #"s/^\(["'\'']\)\(.*\)\1$/\2/"#

    private let path: String
    private var names: [String: Int] = [:]
    private(set) var finds: [PlaintextFind] = []

    init(_ path: String) { self.path = path }

    /// `after` reduces the line to the secret, and `leaving` is what sed then turns the line into.
    mutating func move(
        _ line: PlaintextSpan, _ what: String, item: String, of place: String?, after: String,
        leaving rest: String = "s/.*//", use: (String) -> String
    ) {
        move(
            [Part(line: line.line, after: after)], found: [line.line], what, item: item, of: place, leaving: rest,
            use: use)
    }

    /// One item gets the secrets of several lines, each on a line.
    mutating func move(
        _ parts: [Part], found lines: [Int], _ what: String, item: String, of place: String?,
        leaving rest: String = "s/.*//", use: (String) -> String
    ) {
        var name = place.map { "\(item): \($0)" } ?? item
        let count = names[name, default: 0] + 1
        names[name] = count
        // Two secrets for the same host are two items.
        if count > 1 { name += " \(count)" }
        let word = ShellWord.quoted(name)
        let reading = parts.map { "\($0.line){\($0.after);p}" }.joined(separator: ";")
        let writing = parts.map { "\($0.line)\(rest)" }.joined(separator: ";")
        finds.append(
            PlaintextFind(
                lines: lines, what: what,
                fix: "sed -n '\(reading)' \(path) | llavero add \(word) --stdin"
                    + " && sed -i --follow-symlinks '\(writing)' \(path)  # from now on: \(use(word))"))
    }
}
