// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

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
}

extension CommandError {
    package init(_ error: KeychainError) { self = .keychain(error) }

    /// What is called `name` is there, and does not open.
    package static func damaged(_ name: String) -> CommandError {
        .failure(
            """
            \(name) is there, but damaged, and cannot be read; nothing was deleted. `llavero check` says what else is \
            damaged. Put it back with `llavero import` from an export, or add it anew: what is left of it is set aside then
            """)
    }
}

extension ToolKeychain {
    /// What the keychain refuses, in the words of the tools.
    package static func translating<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(CommandError) -> Result {
        do throws(KeychainError) { return try body() } catch { throw CommandError(error) }
    }
}
