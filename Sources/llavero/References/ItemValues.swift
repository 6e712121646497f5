// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainModel
internal import KeychainTools

/// The values of an item that references and `llavero get --field` name.
extension ToolItem {
    /// What a field has; an item without it is an error, and never empty text.
    func value(of field: ItemField) throws(CommandError) -> SecretValue {
        switch field {
        case .password: return try secret()
        case .user, .url, .note:
            let text = text(of: field)
            guard !text.isEmpty else { throw lacks(field) }
            return SecretValue(text: text)
        case .code, .own: throw lacks(field)
        }
    }

    private func text(of field: ItemField) -> String {
        switch field {
        case .user: account
        case .url: url
        case .note: text(.comment)
        case .password, .code, .own: ""
        }
    }

    private func lacks(_ field: ItemField) -> CommandError {
        let name = PlainText.shown(field.name)
        let question = Suggestion.question(field.name, among: ItemField.words)
        return .notFound("\(title) has no \(ItemField.words.contains(field.name) ? name : "field \(name)")\(question)")
    }
}
