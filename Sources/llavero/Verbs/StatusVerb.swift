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
        usage: llavero status [--keychain NAME] [--json | --plain]

        Says which keychain it is, who has the keychain, whether it is locked, what guards its keys, and what is wrong with that.

          --keychain NAME   how another keychain stands, by its name or its path
          --json            one object
          --plain           a line for each thing: its name, a tab, its value
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        guard !options.has("--json") || !options.has("--plain") else { throw .usage("either --json or --plain") }
        let keychain = try Keychains.one(options)
        // First of all: where a daemon was gone it is there after that.
        var standing: KeychainStanding?
        var trouble: DeviceTrouble?
        if try keychain.isThere {
            do throws(CommandError) { standing = try keychain.standing() } catch {
                trouble = DeviceTrouble(of: keychain)
                if trouble == nil { throw error }
            }
        }
        let report = KeychainReport(
            name: KeychainNames.name(of: keychain.place),
            path: trouble == nil ? keychain.location : keychain.host.embedded.folder,
            socket: keychain.hasDaemon ? keychain.host.socket : nil, folder: keychain.folder, standing: standing,
            trouble: trouble)
        if options.has("--json") {
            print(JSONText.object(report.members).line)
        } else if options.has("--plain") {
            for line in report.plain { print(line) }
        } else {
            for line in report.sentences { print(line) }
        }
    }
}
