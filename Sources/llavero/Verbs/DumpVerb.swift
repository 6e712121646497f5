// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `llavero dump`.
enum DumpVerb: Verb {
    static let name = "dump"
    static let summary = "shows the whole contents of a keychain"
    static let help = """
        usage: llavero dump [--secrets] [--json] [--fd N]

        Shows all items of all access groups, including invisible ones, with all attributes. It first asks for the keychain's
        passcode, if it has one.

          --secrets         also their secrets: text as it is, other bytes in base64
          --json            an object on a line for each item
          --fd N            reads the passcode from descriptor N
          --stdin           reads it from standard input
          --keychain NAME   dumps another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let descriptor = try PasscodeInput.descriptorOrInput(options)
        let keychains = try Keychains(options).requireAll()
        try OwnerCheck.require(keychains, descriptor, "The whole contents of the keychain are to be shown.")
        let stream = SecretStream(to: 1)
        var (failed, damage, isFirst) = (0, MetDamage(), true)
        try ItemScope.everything.forEachPart(in: keychains) { (part) throws(CommandError) in
            // It is reported at the end.
            damage.take(part.damage)
            for item in part.items {
                var secret: SecretValue?
                if options.has("--secrets"), !item.isNegative, item.damage == nil {
                    do throws(CommandError) { secret = try item.secret() } catch {
                        failed += 1
                        Tool.say("\(PlainText.shown(item.name)): \(error.description)")
                    }
                }
                let members = ItemDetails(item).members
                if options.has("--json") {
                    try stream.put(String(JSONText.object(members).line.dropLast()))
                    if let secret { try ItemJSON.put(secret, "secret", to: stream) }
                    try stream.put("}\n")
                } else {
                    try write(members, secret, isFirst: isFirst, to: stream)
                }
                isFirst = false
            }
        }
        try stream.flush()
        damage.say()
        if failed > 0 { throw .failure("\(failed) secrets could not be shown") }
        if damage.isAny { throw .failure("some items are damaged and could not be shown completely") }
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
            try stream.put(secret.base64(), .none)
        }
        try stream.put("\n")
    }
}
