// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// Where passwords stand in a file in plain text, and what moves them into the keychain.
struct PlaintextFind {
    let lines: [Int]
    let what: String
    /// Commands for a shell, which show nothing of the password either.
    let fix: String
}

/// How a program writes the file that it keeps passwords in.
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

    struct Malformed: Error {}

    func finds(in text: PlaintextText, at path: String) throws(Malformed) -> [PlaintextFind] {
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

    /// Removes the file itself, where the path is a link to it.
    static func removal(of path: String) -> String { "rm \"$(readlink -f \(path))\"" }
}

/// Puts together the commands that move the secret of a line, or of several, into an item.
struct LineMover {
    /// A line, and sed's way to the secret in it.
    struct Part {
        let line: Int
        let after: String
    }

    /// What no secret ends with: the rest of a line as other systems end it is no part of it.
    static let endWithoutSpace = "s/[[:space:]]*$//"
    /// For programs that take quotes around a value off, within a word in single quotes.
    static let withoutQuotes = #"s/^\(["'\'']\)\(.*\)\1$/\2/"#

    private let path: String
    private var names: [String: Int] = [:]
    private(set) var finds: [PlaintextFind] = []

    init(_ path: String) { self.path = path }

    /// `after` is sed's way to the secret, and `leaving` what it makes of the line then.
    mutating func move(
        _ line: PlaintextSpan, _ what: String, item: String, of place: String?, after: String,
        leaving rest: String = "s/.*//", use: (String) -> String
    ) {
        move(
            [Part(line: line.line, after: after)], found: [line.line], what, item: item, of: place, leaving: rest,
            use: use)
    }

    /// Of several lines one item has the secrets, each on a line.
    mutating func move(
        _ parts: [Part], found lines: [Int], _ what: String, item: String, of place: String?,
        leaving rest: String = "s/.*//", use: (String) -> String
    ) {
        var name = place.map { "\(item): \($0)" } ?? item
        let count = names[name, default: 0] + 1
        names[name] = count
        // Two of one place are two items.
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
