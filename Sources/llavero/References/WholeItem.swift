// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

/// An item with all of its secrets as lines of text, as an entry of `pass` has them.
struct WholeItem {
    private var lines: [SecretValue]

    /// All of it is read before anything is printed.
    init(_ item: ToolItem) throws(CommandError) {
        try item.requireWhole()
        lines = [try item.secretIfAny() ?? SecretValue(text: "")]
        func add(_ name: String, _ value: SecretValue) {
            lines.append(SecretValue.joined([SecretValue(text: "\(PlainText.shown(name)): "), value]))
        }
        if !item.account.isEmpty { add("login", SecretValue(text: item.account)) }
        if !item.url.isEmpty { add("url", SecretValue(text: item.url)) }
        var properties = item.properties
        properties.removeField(repeating: item.url)
        for field in properties.fields { add(field.name, SecretValue(text: field.value)) }
        let further = try item.furtherItems()
        for field in further where field.kind == .field { add(field.name, try field.secret()) }
        for code in further where code.kind == .code { lines.append(try code.secret()) }
        if let note = try item.note(), note.count > 0 { lines.append(note) }
        for file in further where file.kind == .attachment { add("attachment", SecretValue(text: file.name)) }
    }

    func print() throws(CommandError) {
        if Screen.output.isTerminal, !lines.allSatisfy({ SecretForm.isReadable($0) }) {
            throw .failure("not all of it is plain text; `llavero get --json` prints the rest in base64")
        }
        let stream = SecretStream(to: 1)
        for line in lines {
            try stream.put(line, .none)
            // A note may have its own at its end.
            if !line.endsLine { try stream.put("\n") }
        }
        try stream.flush()
    }
}

extension SecretValue {
    fileprivate var endsLine: Bool { unsafe withUnsafeBytes { unsafe $0.last == 0x0A } }
}
