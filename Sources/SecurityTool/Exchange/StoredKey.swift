// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainConnection
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// A key of a keychain on its way into a file, held to what was laid down about it (decision D41).
struct StoredKey: OutgoingKey {
    let key: CryptoKey
    let label: String?
    private let item: FoundItem
    private let terms: KeyTerms
    private let keychain: ToolKeychain

    /// nil when the item's bytes are no key.
    init?(_ item: FoundItem, in keychain: ToolKeychain) {
        guard let attributes = item.attributes, let part = StoredKey.number(attributes[.keyClass]),
            let part = KeyPart(rawValue: part), let type = StoredKey.number(attributes[.type]),
            let type = KeyType(rawValue: type), let key = StoredKey.key(item, type, part)
        else { return nil }
        self.key = key
        self.item = item
        self.keychain = keychain
        terms = KeyTerms(attributes, item.accessControl)
        label = if case .string(let text)? = attributes[.label] { text } else { nil }
    }

    private static func key(_ item: FoundItem, _ type: KeyType, _ part: KeyPart) -> CryptoKey? {
        if let publicKey = item.keptKey?.publicKey {
            return (try? KeyOutline(privateKeyOf: publicKey, type)).map { CryptoKey(elsewhere: $0) }
        }
        return item.secret.flatMap { try? CryptoKey(type, part, ofItem: $0) }
    }

    private static func number(_ value: AttributeValue?) -> UInt32? {
        guard case .number(let number)? = value else { return nil }
        return UInt32(exactly: number)
    }

    func exported(isWrapped: Bool) throws(ExchangeFailure) -> PrivateKey {
        guard terms.isExtractable else {
            throw ExchangeFailure(.unextractableKey, "a key is one that does not leave the keychain")
        }
        guard isWrapped || !terms.isSensitive else {
            throw ExchangeFailure(.sensitiveKey, "a key leaves only encrypted: -w, or -f pkcs8 or pkcs12")
        }
        return try PrivateKey.file(of: item.keptKey == nil ? key : released())
    }

    func exportedBytes() throws(ExchangeFailure) -> SecretValue {
        throw ExchangeFailure(.unsupportedFormat, "symmetric keys are not exported")
    }

    /// The key with its bytes, which the keychain gives out for nothing but this.
    private func released() throws(ExchangeFailure) -> CryptoKey {
        let request = UseKeyRequest(
            key: .stored(item.persistentID, publicKey: item.keptKey?.publicKey), task: .release)
        do throws(KeychainError) {
            let bytes = try keychain.connected(.programs) { (keychain, caller) throws(KeychainError) in
                try keychain.service.useKey(request, from: caller)
            }
            do throws(KeyError) {
                return try unsafe bytes.withUnsafeBytes { (bytes) throws(KeyError) in
                    try unsafe CryptoKey(key.type, key.part, representation: bytes)
                }
            } catch { throw KeychainError(error) }
        } catch {
            guard error.reason != .unimplemented else {
                throw ExchangeFailure(.unextractableKey, "a key does not leave the place where it is kept")
            }
            throw ExchangeFailure(error)
        }
    }
}
