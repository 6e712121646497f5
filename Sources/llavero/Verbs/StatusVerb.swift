// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero status`.
enum StatusVerb: Verb {
    static let name = "status"
    static let summary = "says how the keychain stands"
    static let help = """
        usage: llavero status [--json | --plain]

        Says who has the keychain, whether it is locked, what guards its keys, and what is wrong with that.

          --json    one object
          --plain   a line for each thing: its name, a tab, its value
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, flags: ["--json", "--plain"])
        try options.requireNoOperands(name)
        guard !options.has("--json") || !options.has("--plain") else { throw .usage("either --json or --plain") }
        let keychain = try ToolKeychain()
        let report = KeychainReport(
            socket: keychain.hasDaemon ? keychain.host.socket : nil, folder: keychain.folder,
            standing: keychain.isThere ? try keychain.standing() : nil)
        if options.has("--json") {
            print(JSONText.object(report.members).line)
        } else if options.has("--plain") {
            for line in report.plain { print(line) }
        } else {
            for line in report.sentences { print(line) }
        }
    }
}
