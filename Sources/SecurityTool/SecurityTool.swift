// SPDX-License-Identifier: Apache-2.0

package import KeychainManual
internal import KeychainTools

/// `security`, as on a Mac: the same words, the same answers, the same exit codes.
package enum SecurityTool {
    /// Does what the words say, and ends the program.
    package static func main(_ words: ArraySlice<String>) -> Never {
        Tool.end(Session.run(words))
    }

    /// What shells complete: each subcommand with its summary and its options.
    package static var subcommands: [(name: String, summary: String, options: [HelpText.Option])] {
        SecurityTable.all.map { verb in
            (verb.name, verb.summary, HelpText("usage: security \(verb.name) \(verb.usage)").options)
        }
    }

    /// Its page of the manual.
    package static var manual: String { SecurityManual.page }
}
