// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// `llavero version`.
enum VersionVerb: Verb {
    static let name = "version"
    static let summary = "says which version this is"
    static let help = """
        usage: llavero version

        Says which version this is.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        guard try Options(words).operands.isEmpty else { throw .usage("version takes nothing") }
        print("llavero \(Tool.version)")
    }
}
