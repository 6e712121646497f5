// SPDX-License-Identifier: Apache-2.0

/// Why a verb did not do what it was to.
enum CommandError: Error {
    /// The command line asks for nothing there is.
    case usage(String)
    /// What was asked for failed; the text says what to do.
    case failure(String)

    /// What the program ends with.
    var code: Int32 {
        switch self {
        case .usage: 2
        case .failure: 1
        }
    }

    var description: String {
        switch self {
        case .usage(let text): "\(text); `llavero help` lists what there is"
        case .failure(let text): text
        }
    }
}
