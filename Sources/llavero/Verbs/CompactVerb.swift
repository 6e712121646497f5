// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest
internal import KeychainTools

/// `llavero compact`.
enum CompactVerb: Verb {
    static let name = "compact"
    static let summary = "gives room of removed items back to the disk"
    static let help = """
        usage: llavero compact [--keychain NAME]

        Makes the file of a keychain as small as its items are. That happens by itself when much was removed; other programs may go on
        reading and writing meanwhile.

          --keychain NAME   another keychain, by name or path
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let keychain = try Keychains.one(options)
        try keychain.requireThere()
        guard case .compacted(let bytes) = try keychain.perform(.compact) else { throw ToolKeychain.otherReply }
        options.tell(
            bytes == 0
                ? "the keychain \(keychain.shownName) has no room to give back"
                : "the keychain \(keychain.shownName) is \((bytes + 1023) / 1024) KiB smaller")
    }
}
