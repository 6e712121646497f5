// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainModel
internal import KeychainTools

/// An item with its secrets, or one value of it, as a JSON object; of attachments it has the names.
struct ItemJSON {
    private let members: [(String, JSONText)]
    private let secret: SecretValue?
    /// What the secret is called.
    private let title: String
    private var code: SecretValue?
    private var note: SecretValue?
    private var fields: [(name: String, value: SecretValue)] = []

    init(_ item: ToolItem, _ field: ItemField?) throws(CommandError) {
        guard let field else {
            var details = ItemDetails(item)
            let further = try item.furtherItems()
            details.add(further, [.attachment])
            members = details.members
            (secret, title) = (try item.secretIfAny(), "secret")
            // All of it is read before anything is printed.
            var notes: [[SecretValue]] = []
            for further in further {
                switch further.kind {
                case .code: if code == nil { code = try further.secret() }
                case .field: fields.append((further.name, try further.secret()))
                case .notes: notes.append([try further.secret()])
                case .attachment: break
                }
            }
            if !notes.isEmpty { note = SecretValue.joined(Array(notes.joined(separator: [SecretValue(text: "\n")]))) }
            return
        }
        members = [("name", .text(item.name)), ("field", .text(field.name))]
        (secret, title) = (try item.value(of: field), "value")
    }

    func print() throws(CommandError) {
        let stream = SecretStream(to: 1)
        // Without the brace at its end.
        try stream.put(String(JSONText.object(members).line.dropLast()))
        if let code { try ItemJSON.put(code, "one-time-code", to: stream) }
        if let note { try ItemJSON.put(note, "secret-note", to: stream) }
        for (index, (name, value)) in fields.enumerated() {
            try stream.put(index == 0 ? ",\"secret-fields\":[" : ",")
            try stream.put(String(JSONText.object([("name", .text(name))]).line.dropLast()))
            try ItemJSON.put(value, "value", to: stream)
            try stream.put(index == fields.count - 1 ? "}]" : "}")
        }
        if let secret { try ItemJSON.put(secret, title, to: stream) }
        try stream.put("}\n")
        try stream.flush()
    }

    /// A member behind others: text as it is, other bytes in base64.
    static func put(_ secret: SecretValue, _ title: String, to stream: SecretStream) throws(CommandError) {
        if secret.isText {
            try stream.put(",\"\(title)\":\"")
            try stream.put(secret, .json)
        } else {
            try stream.put(",\"\(title)-base64\":\"")
            try stream.put(secret.base64(), .none)
        }
        try stream.put("\"")
    }
}
