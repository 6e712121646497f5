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
        case .csv: ExportNames.columns.joined(separator: ",") + "\n"
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

    /// Writes one item, and says how many of its cells were given an apostrophe.
    func write(
        _ item: Item, _ secret: SecretValue?, isFirst: Bool, to stream: SecretStream
    ) throws(CommandError) -> Int {
        switch self {
        case .json:
            if !isFirst { try stream.put(",\n") }
            // Without the brace at its end.
            try stream.put(String(JSONText.object(ExportedMembers.of(item)).line.dropLast()))
            if let secret { try ExportedFormat.writeJSON(secret, to: stream) }
            try stream.put("}")
            return 0
        case .csv:
            let texts = [item.name, item.url, item.account].map { SecretValue(copying: Array($0.utf8)) }
            let notes = SecretValue(copying: Array(item.text(.comment).utf8))
            let cells = texts + [secret ?? SecretValue(copying: []), notes, SecretValue(copying: [])]
            var escaped: [String] = []
            for (cell, column) in zip(cells, ExportNames.columns) {
                let isFormula = unsafe cell.withUnsafeBytes { unsafe $0.first.map(ExportNames.beginsFormula) ?? false }
                if isFormula { escaped.append(column) }
                try stream.put(isFormula ? "\"'" : "\"")
                try stream.put(cell, .csv)
                try stream.put("\",")
            }
            try stream.put("\"\(escaped.joined(separator: " "))\"\n")
            return escaped.count
        }
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
