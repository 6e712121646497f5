// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Something that a tool can do.
///
/// A new one is a file in the tool's `Verbs/` and a line in its `VerbTable`.
package protocol Verb {
    static var name: String { get }
    /// One line for the list of verbs.
    static var summary: String { get }
    /// What `llavero help NAME` prints, from "usage:" on.
    static var help: String { get }

    /// Does it; what it prints is the answer, everything else is thrown.
    static func run(_ words: ArraySlice<String>) throws(CommandError)
}

/// Why a verb did not do what it was to.
package enum CommandError: Error {
    /// The command line asks for nothing there is.
    case usage(String)
    /// Several things are called what one was asked for by; the text says how to name each.
    case ambiguous(String)
    /// What was asked for failed; the text says what to do.
    case failure(String)
    /// The keychain refused; what tools end with, and say, may depend on why.
    case keychain(KeychainError)

    package init(_ error: KeychainError) { self = .keychain(error) }

    /// What the program ends with.
    package var code: Int32 {
        switch self {
        case .usage: 2
        case .ambiguous: 46
        case .failure, .keychain: 1
        }
    }

    package var description: String {
        switch self {
        case .usage(let text): "\(text); `\(Tool.name) help` lists what there is"
        case .ambiguous(let text), .failure(let text): text
        case .keychain(let error): error.description
        }
    }

    /// What is called `name` is there, and does not open.
    package static func damaged(_ name: String) -> CommandError {
        .failure(
            """
            \(name) is there, but damaged, and cannot be read; nothing was deleted. `llavero check` says what else is \
            damaged. Put it back with `llavero import` from an export, or add it anew: what is left of it is set aside then
            """)
    }
}
