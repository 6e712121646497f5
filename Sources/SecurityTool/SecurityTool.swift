// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `security`, as on a Mac: the same words, the same answers, the same exit codes.
package enum SecurityTool {
    /// Does what the words say, and ends the program.
    package static func main(_ words: ArraySlice<String>) -> Never {
        Tool.end(Session.run(words))
    }

    /// Its page of the manual.
    package static var manual: String { SecurityManual.page }
}
