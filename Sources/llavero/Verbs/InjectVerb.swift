// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// `llavero inject`.
enum InjectVerb: Verb {
    static let name = "inject"
    static let summary = "fills secrets into a template"
    static let help = """
        usage: llavero inject [FILE | -] [--out FILE [--force] [--mode MODE]]

        Prints a template with the value of each reference in its place: FILE, or standard input. A reference is
        llavero://[KEYCHAIN/]ITEM[/FIELD]: one part is the item, two are item and field, three are keychain, item and field. ITEM is
        any name of the item, FIELD is password (the default), user, url, note, code (the one-time code of this moment), or a field
        that the item was given. A slash within a name is written %2F, a space %20.

        {{ llavero://mail/user }} is replaced with its braces; in braces only / % ? and # of a name have to be encoded. Without braces
        a reference ends before the first byte that is no letter, digit or - . _ ~ % /, and behind a letter, a digit, - + . or a
        backslash none begins. All other bytes stay as they are; values are put in byte by byte, and are not quoted for any format.

        If one reference is unknown, nothing is written; a message for each has its line. Case matters in names, and one that several items
        have is refused.

          --out FILE        writes a new file that only you can read, whole or not at all
          --force           replaces FILE if it exists; its owner, group and mode stay. A symbolic link is refused
          --mode MODE       who can read it, such as 640; otherwise only you
          --apps            also searches items that programs keep
          --group GROUP     searches only that access group, as a service does that has no other
          --keychain NAME   searches another keychain, by name or path, for references that name none
          --quiet           prints no confirmation
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        guard options.operands.count <= 1 else { throw .usage("only one FILE is accepted") }
        let path = options.value("--out")
        if options.has("--force"), path == nil { throw .usage("--force requires --out") }
        if options.has("--quiet"), path == nil { throw .usage("--quiet requires --out") }
        let mode = try mode(options)
        if mode != nil, path == nil { throw .usage("--mode requires --out") }
        let input = try GivenFile(options.operands.first)
        if let path {
            try NewFile.requirePlace(path, otherwise: "without --out the result goes to standard output")
        }
        if let path, let there = FileNumber(at: path) {
            if there == input.identity { throw .usage("--out names the template itself") }
            guard options.has("--force") else {
                throw .failure("\(PlainText.shown(path)) exists already; --force replaces it")
            }
        }
        let replaced = path.flatMap(ReplacedFile.init)
        if let replaced { try replaced.requireRegular() }
        let read = Result { () throws(ReferenceTemplate.Unreadable) in try ReferenceTemplate(input.content) }
        var values = ReferencedValues(in: try Keychains(options), try ItemScope(options))
        try values.read(read.written.map { ($0.reference, "\(input.name):\($0.line)") })
        // Where one cannot be read, that has ended it.
        guard case .success(let template) = read else { return }
        let filled = try values.filled(template)
        guard let path else { return try show(filled) }
        let file = try NewFile(for: path)
        if let replaced { try file.resemble(replaced) }
        if let mode { try file.setMode(mode) }
        try unsafe filled.withUnsafeBytes { (bytes) throws(CommandError) in try unsafe file.write(bytes) }
        try options.has("--force") ? file.take() : file.takeEmptyPlace()
        let count = template.references.count
        options.tell("wrote \(PlainText.shown(path)), with \(count) \(count == 1 ? "value" : "values") of the keychain")
        if let left = mode ?? replaced?.mode, left & 0o044 != 0 {
            options.tell("other users can read it: its mode is \(String(left, radix: 8))")
        }
    }

    /// The value of `--mode`, of the nine bits that say who reads, writes and executes.
    private static func mode(_ options: Options) throws(CommandError) -> UInt32? {
        guard let text = options.value("--mode") else { return nil }
        guard text.utf8.count <= 4, text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
            let mode = UInt32(text, radix: 8), mode <= 0o777, mode & 0o400 != 0
        else { throw .usage("--mode requires three octal digits by which you can read the file, such as 640") }
        return mode
    }

    private static func show(_ filled: SecretValue) throws(CommandError) {
        if Screen.output.isTerminal, !SecretForm.isReadable(filled) {
            throw .failure("the result is not plain text, and is not written to a terminal; --out FILE writes it")
        }
        try SecretOutput.write(filled, to: 1)
    }
}
