// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainTools
internal import SecurityTool

/// `llavero manual`, for whoever installs it.
enum ManualVerb: Verb {
    static let name = "manual"
    static let summary = "writes the pages of the manual; `make install` calls it"
    static let help = """
        usage: llavero manual FOLDER

        Writes the pages of the manual, llavero.1, one for each verb, security.1, and those of the helpers, into a folder, in place of
        those that are there.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let folder = try Options(words, help: help).operand("FOLDER")
        try write(LlaveroManual.overview(of: VerbTable.all), to: "\(folder)/llavero.1")
        for verb in VerbTable.all { try write(LlaveroManual.page(of: verb), to: "\(folder)/llavero-\(verb.name).1") }
        for helper in CredentialHelper.allCases {
            try write(HelperManual.page(of: helper), to: "\(folder)/\(helper.rawValue).1")
        }
        try write(SecurityTool.manual, to: "\(folder)/security.1")
    }

    private static func write(_ text: String, to path: String) throws(CommandError) {
        let file = try NewFile(for: path)
        try file.write(Array(text.utf8))
        try file.publish()
        try file.take()
    }
}
