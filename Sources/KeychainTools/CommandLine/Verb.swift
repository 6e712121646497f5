// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A verb (subcommand) of a tool.
///
/// A new one is a file in the tool's `Verbs/` and a line in its `VerbTable`.
package protocol Verb {
    static var name: String { get }
    /// One line for the list of verbs.
    static var summary: String { get }
    /// The text that `llavero help NAME` prints, from "usage:" on.
    static var help: String { get }

    /// Runs the verb; it prints the result, and throws everything else.
    static func run(_ words: ArraySlice<String>) throws(CommandError)
}

/// Why a verb failed.
package enum CommandError: Error {
    /// The command line is wrong.
    case usage(String)
    /// Several items fit the name; the text lists a name for each.
    case ambiguous(String)
    /// The operation failed; the text says why and what to do.
    case failure(String)
    /// The keychain refused; exit code and message may depend on the reason.
    case keychain(KeychainError)

    package init(_ error: KeychainError) { self = .keychain(error) }

    /// The exit code.
    package var code: Int32 {
        switch self {
        case .usage: 2
        case .ambiguous: 46
        case .failure, .keychain: 1
        }
    }

    package var description: String {
        switch self {
        case .usage(let text): "\(text); `\(Tool.name) help` shows the usage"
        case .ambiguous(let text), .failure(let text): text
        case .keychain(let error): error.description
        }
    }

    package var isNotFound: Bool {
        if case .keychain(let cause) = self { cause.reason == .itemNotFound } else { false }
    }

    package var isAmbiguous: Bool { if case .ambiguous = self { true } else { false } }

    /// The same with the place where it comes from: of a file, or a keychain.
    package func at(_ place: String) -> CommandError {
        switch self {
        case .usage(let text): .usage("\(place): \(text)")
        case .ambiguous(let text): .ambiguous("\(place): \(text)")
        case .failure(let text): .failure("\(place): \(text)")
        case .keychain(let error):
            .keychain(
                KeychainError(
                    relaying: error.reason, "\(place): \(error.description)", subject: nil, code: nil,
                    retryAfter: error.retryAfter))
        }
    }

    /// Runs a part of a verb; when it fails, `text` says what failed and the error says why.
    package static func saying<Result: ~Copyable, Failure: Error>(
        _ text: @autoclosure () -> String, _ body: () throws(Failure) -> Result
    ) throws(CommandError) -> Result {
        do throws(Failure) { return try body() } catch { throw .failure("\(text()): \(error)") }
    }

    /// The item `name` exists, but cannot be opened.
    package static func damaged(_ name: String) -> CommandError {
        .failure(
            """
            \(name) exists, but is damaged and cannot be read; nothing was deleted. `llavero check` lists all damage; \
            `llavero repair` saves what is intact, and then `llavero restore` puts back what a backup has
            """)
    }

    /// Nothing that can be read is `name`, which may lie on a part of the database that cannot be.
    package static func mayBeDamaged(_ name: String?) -> CommandError {
        .failure(damagedPart + (name.map { ", and \($0) may be one of them" } ?? "") + damageAdvice)
    }

    package static let damagedPart = "a part of the database is damaged, so items in it cannot be read"
    package static let damageAdvice = """
        ; nothing was deleted. `llavero check` lists all damage; `llavero repair` saves what is intact, and then \
        `llavero restore` puts back what a backup has
        """
}
