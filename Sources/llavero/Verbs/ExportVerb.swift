// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import KeychainTools

/// `llavero export`.
enum ExportVerb: Verb {
    static let name = "export"
    static let summary = "writes items and their secrets to a file"
    static let help = """
        usage: llavero export [FILE] [--format json | csv] [--apps] [--all] [--fd N]

        Writes your items with their secrets, readable by everybody who has the file. It asks for the keychain's passcode before, if
        there is one. A file is made for you alone, and only where none is; without FILE it goes to a pipe or to where output was
        redirected, and never to a terminal.

          --format FORMAT   json (everything, and the usual: `llavero import` puts it back) or csv (Title, URL, Username, Password,
                            Notes, OTPAuth, Escaped: passwords that are text). What a spreadsheet would take for a formula
                            gets an apostrophe before it, and Escaped names those columns: `llavero import` takes it away
          --apps            what programs keep, too
          --all             what is invisible, too
          --user USER       those of one user
          --group GROUP     those of one access group
          --kind KIND       those of one kind: password, internet, certificate, key
          --fd N            reads the passcode from descriptor N
          --keychain NAME   those of another keychain, by its name or its path

        It ends with 1 when something had to be left out, and says what; with 44 when there is no keychain, or one of the search list
        is not there, and then it writes nothing. Output that is redirected empties the file before: for backups write FILE.
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard options.operands.count <= 1 else { throw .usage("one FILE at a time") }
        guard let format = ExportedFormat(rawValue: options.value("--format") ?? "json") else {
            throw .usage("--format knows json and csv")
        }
        let path = options.operands.first
        let scope = try ItemScope(options)
        let descriptor = try PasscodeInput.descriptor(options, "--fd")
        guard path != nil || !Screen.output.isTerminal else {
            throw .usage("secrets are not written to a terminal; name a file, or redirect the output")
        }
        let keychains = try Keychains(options).requireAll()
        try OwnerCheck.require(keychains, descriptor, "Passwords are to be exported.")
        let items = try scope.items(in: keychains)
        var left: [String] = []
        if let path {
            let file = try NewFile(for: path)
            left = try write(items, format, to: SecretStream(to: file.descriptor.number))
            try file.takeEmptyPlace()
        } else {
            left = try write(items, format, to: SecretStream(to: 1))
        }
        guard left.isEmpty else {
            for line in left { Tool.say(line) }
            throw .failure("\(left.count) of \(items.count) items were left out")
        }
    }

    /// What was left out, and why.
    private static func write(
        _ items: [Item], _ format: ExportedFormat, to stream: SecretStream
    ) throws(CommandError) -> [String] {
        var left: [String] = []
        var (isFirst, escaped) = (true, 0)
        var bar = ProgressBar("exporting", of: items.count)
        defer { bar.end() }
        try stream.put(format.head)
        for (index, item) in items.enumerated() {
            bar.step(to: index)
            var reason = format.refusal(of: item)
            if reason == nil {
                do throws(CommandError) {
                    let secret = try item.secretIfAny()
                    reason = secret.flatMap { format.refusal(of: $0) }
                    if reason == nil {
                        escaped += try format.write(item, secret, isFirst: isFirst, to: stream)
                        isFirst = false
                    }
                } catch { reason = error.description }
            }
            if let reason { left.append("\(PlainText.shown(item.name)): \(reason)") }
        }
        try stream.put(format.tail)
        try stream.flush()
        if escaped > 0 {
            bar.end()
            Tool.say(
                escaped == 1
                    ? "1 cell begins as a formula does, so an apostrophe stands before it: `llavero import` takes it away, others keep it"
                    : "\(escaped) cells begin as formulas do, so an apostrophe stands before each: `llavero import` takes it away, others keep it"
            )
        }
        return left
    }
}
