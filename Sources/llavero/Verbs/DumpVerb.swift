// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `llavero dump`.
enum DumpVerb: Verb {
    static let name = "dump"
    static let summary = "shows everything that a keychain has"
    static let help = """
        usage: llavero dump [--secrets] [--json] [--fd N]

        Shows all items of all access groups, the invisible ones too, with everything that is known of them. It asks for the
        keychain's passcode before, if there is one.

          --secrets         their secrets, too: text as it is, other bytes in base64
          --json            an object on a line for each item
          --fd N            reads the passcode from descriptor N
          --stdin           reads it from standard input
          --keychain NAME   dumps another keychain, by its name or its path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let descriptor = try PasscodeInput.descriptorOrInput(options)
        let keychains = try Keychains(options).requireAll()
        try OwnerCheck.require(keychains, descriptor, "The keychain is to be shown as a whole.")
        let stream = SecretStream(to: 1)
        var failed = 0
        let items = try ItemScope.everything.items(in: keychains)
        for (index, item) in items.enumerated() {
            var secret: SecretValue?
            // What is damaged is told of at the end.
            if options.has("--secrets"), !item.isNegative, item.damage == nil {
                do throws(CommandError) { secret = try item.secret() } catch {
                    failed += 1
                    Tool.say("\(PlainText.shown(item.name)): \(error.description)")
                }
            }
            let members = ItemDetails(item).members
            if options.has("--json") {
                try stream.put(String(JSONText.object(members).line.dropLast()))
                if let secret { try ExportedFormat.writeJSON(secret, to: stream) }
                try stream.put("}\n")
            } else {
                try write(members, secret, isFirst: index == 0, to: stream)
            }
        }
        try stream.flush()
        ItemListing.sayDamage(of: items)
        if failed > 0 { throw .failure("\(failed) secrets could not be shown") }
        if items.contains(where: { $0.damage != nil }) { throw .failure("not everything could be shown") }
    }

    private static func write(
        _ members: [(String, JSONText)], _ secret: SecretValue?, isFirst: Bool, to stream: SecretStream
    ) throws(CommandError) {
        if !isFirst { try stream.put("\n") }
        for (name, value) in members { try stream.put("\(name): \(PlainText.shown(value))\n") }
        guard let secret else { return }
        if SecretForm.isReadable(secret, inOneLine: true) {
            try stream.put("secret: ")
            try stream.put(secret, .none)
        } else {
            try stream.put("secret (base64): ")
            try stream.put(SecretForm.base64(secret), .none)
        }
        try stream.put("\n")
    }
}
