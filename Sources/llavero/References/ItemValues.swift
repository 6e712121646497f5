// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import Glibc
internal import KeychainCrypto
internal import KeychainImports
internal import KeychainModel
internal import KeychainOneTimeCodes
internal import KeychainTools

/// The values of an item that references and `llavero get --field` name.
extension ToolItem {
    /// What a field has; an item without it is an error, and never empty text.
    ///
    /// The words that every item has never mean a field that somebody gave it, so no such field changes what they are.
    ///
    /// A reference does not ask for `orEarlier`, an item that is called as an earlier import called fields: a person who gets one sees its name.
    func value(of field: ItemField, orEarlier: Bool = true) throws(CommandError) -> SecretValue {
        try requireReadable()
        switch field {
        case .password:
            // By its identifier somebody may name what belongs to an item.
            if let further = FurtherItem(self) { return try further.secret() }
            return try secret()
        case .user: return try text(account, field)
        case .url:
            // An import keeps it as its source has it, with a query and a fragment. An item without one may have that alone.
            let given = properties.fields.first { field in
                field.name.hasSameBytes(as: ItemField.url.name)
                    && (url.isEmpty || WebAddress.isSamePlace(url, field.value))
            }
            return try text(given?.value ?? url, field)
        case .note:
            guard let note = try note() else { throw lacks(field.name) }
            return note
        case .code: return try codeOfNow()
        case .own(let name):
            do throws(CommandError) { return try self.field(name, orEarlier: orEarlier) } catch {
                // The fields that it has may not have a name like it, and the others may.
                guard case .keychain(let cause) = error, cause.reason == .itemNotFound, properties.fields.isEmpty,
                    try furtherItems().isEmpty, PastItems.removal(of: .field, name, of: self) == nil
                else { throw error }
                throw lacks("field \(PlainText.shown(name))", Suggestion.question(name, among: ItemField.words))
            }
        }
    }

    private func text(_ text: String, _ field: ItemField) throws(CommandError) -> SecretValue {
        guard !text.isEmpty else { throw lacks(field.name) }
        return SecretValue(text: text)
    }

    private func codeOfNow() throws(CommandError) -> SecretValue {
        guard let further = try code() else { throw lacks("one-time code") }
        let seed = try further.seed()
        // Giving one changes the item.
        guard !seed.isCounted else {
            throw .failure("\(title) counts its codes; `llavero code` gives the next one")
        }
        return try FurtherItem.translating { () throws(CryptoError) in try seed.code(at: UInt64(max(0, time(nil)))) }
    }

    private func lacks(_ what: String, _ question: String = "") -> CommandError {
        .notFound("\(title) has no \(what)\(question)")
    }
}
