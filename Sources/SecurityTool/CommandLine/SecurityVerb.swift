// SPDX-License-Identifier: Apache-2.0

/// A subcommand of `security`.
///
/// A new one is a file in `Verbs/` and a line in `SecurityTable`.
protocol SecurityVerb {
    static var name: String { get }
    /// One line for the list of subcommands.
    static var summary: String { get }
    /// What its help says, from the words after the name on.
    static var usage: String { get }

    /// Does it; what it prints is the answer, everything else is thrown.
    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure)
}
