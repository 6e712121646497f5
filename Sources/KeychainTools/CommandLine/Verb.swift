// SPDX-License-Identifier: Apache-2.0

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
