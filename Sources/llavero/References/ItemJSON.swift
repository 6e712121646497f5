// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// An item with its secret, or one value of it, as a JSON object.
struct ItemJSON {
    private let members: [(String, JSONText)]
    private let secret: SecretValue?
    /// What the secret is called.
    private let title: String

    init(_ item: ToolItem, _ field: ItemField?) throws(CommandError) {
        guard let field else {
            var details = ItemDetails(item)
            details.add(try item.furtherItems())
            members = details.members
            (secret, title) = (try item.secretIfAny(), "secret")
            return
        }
        members = [("name", .text(item.name)), ("field", .text(field.name))]
        (secret, title) = (try item.value(of: field), "value")
    }

    func print() throws(CommandError) {
        let stream = SecretStream(to: 1)
        // Without the brace at its end.
        try stream.put(String(JSONText.object(members).line.dropLast()))
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
