// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainTools

/// Items in a file that leaves the keychain.
enum ExportedFormat: String, CaseIterable {
    /// Everything there is; secrets that are no text in base64.
    case json
    /// What most password managers read; only passwords that are text.
    case csv

    var head: String {
        switch self {
        case .json: "{\"llavero\":\(ExportNames.version),\"items\":[\n"
        case .csv: "Title,URL,Username,Password,Notes,OTPAuth\n"
        }
    }

    var tail: String { self == .json ? "\n]}\n" : "" }

    /// Why an item cannot be written so; nil when it can.
    func refusal(of item: Item) -> String? {
        self == .csv && !item.itemClass.isPassword ? "a \(item.kind) has no place in CSV" : nil
    }

    func refusal(of secret: SecretValue) -> String? {
        self == .csv && !secret.isText ? "its bytes are no text; --format json keeps them" : nil
    }

    func write(_ item: Item, _ secret: SecretValue?, isFirst: Bool, to stream: SecretStream) throws(CommandError) {
        switch self {
        case .json:
            if !isFirst { try stream.put(",\n") }
            // Without the brace at its end.
            try stream.put(String(JSONText.object(ExportedMembers.of(item)).line.dropLast()))
            if let secret { try ExportedFormat.writeJSON(secret, to: stream) }
            try stream.put("}")
        case .csv:
            try ExportedFormat.writeField(item.name, to: stream)
            try ExportedFormat.writeField(item.url, to: stream)
            try ExportedFormat.writeField(item.account, to: stream)
            try stream.put("\"")
            if let secret { try stream.put(secret, .csv) }
            try stream.put("\",")
            try ExportedFormat.writeField(item.text(.comment), to: stream)
            try stream.put("\"\"\n")
        }
    }

    private static func writeField(_ text: String, to stream: SecretStream) throws(CommandError) {
        try stream.put("\"")
        try stream.put(text, .csv)
        try stream.put("\",")
    }

    static func writeJSON(_ secret: SecretValue, to stream: SecretStream) throws(CommandError) {
        if secret.isText {
            try stream.put(",\"secret\":\"")
            try stream.put(secret, .json)
        } else {
            try stream.put(",\"secret-base64\":\"")
            try stream.put(SecretForm.base64(secret), .none)
        }
        try stream.put("\"")
    }
}
