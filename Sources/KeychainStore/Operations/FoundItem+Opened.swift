// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest

extension FoundItem {
    /// What a caller gets of an opened row; nil when the record contradicts itself.
    init?(_ opened: RowReader.Opened, itemClass: ItemClass, returning: ReturnTypes, secret: OpenedSecret?) {
        guard
            unsafe returning.contains(.attributes) || returning.contains(.reference)
                || opened.record.contains(.accessControl) || (itemClass == .key && returning.contains(.data))
        else {
            unsafe self.init(
                itemClass: itemClass, persistentID: opened.id, attributes: nil,
                accessControl: AccessControl(protection: opened.accessibility), secret: secret?.data)
            return
        }
        guard
            let item = unsafe Item(
                record: opened.record, itemClass: itemClass, id: opened.id, accessibility: opened.accessibility)
        else { return nil }
        var attributes = item.attributes
        // The digest says something about the secret, so it goes only to those who see the secret.
        if returning.contains(.data), !item.isKeptKey, let digest = secret?.digest {
            attributes.append(unchecked: .digest, .data(digest))
        }
        self.init(item, attributes, secret: secret?.data, returning: returning)
    }

    /// What an Add hands back.
    init(_ item: Item, returning: ReturnTypes) {
        self.init(item, item.attributes, secret: item.secret, returning: returning)
    }

    /// The bytes of a key that may not leave do not: who wants a reference learns what there is to know of it.
    private init(_ item: Item, _ attributes: AttributeList, secret: SecretValue?, returning: ReturnTypes) {
        let isUsedInside = item.isUsedInside && returning.contains(.reference)
        let isShown = !item.isKeptKey && (returning.contains(.data) || !isUsedInside)
        self.init(
            itemClass: item.itemClass, persistentID: item.id, attributes: attributes,
            accessControl: item.accessControl, secret: isShown ? secret : nil,
            keptKey: isUsedInside ? secret.flatMap { item.outline(of: $0) } : nil)
    }
}

extension Item {
    /// Whether the item's bytes are a key's that may not leave, in this process or in an enclave.
    var isKeptKey: Bool { itemClass == .key && (!tokenID.isEmpty || KeyTerms(attributes, accessControl).isKept) }

    /// Whether the item's bytes are a key's that is used where it is: kept, or one that its rules keep.
    var isUsedInside: Bool { isKeptKey || itemClass == .key && !accessControl.letsSecretOut }

    /// What is known of a key that is used where it is; nil when its bytes are no key's.
    func outline(of secret: SecretValue) -> KeptKey? {
        if accessControl.isConstrained, let envelope = try? FactorEnvelope(decoding: secret) {
            return envelope.front.map { KeptKey(publicKey: $0.publicKey, bits: $0.bits) }
        }
        return unsafe secret.withUnsafeBytes { bytes in
            if !tokenID.isEmpty {
                guard let key = unsafe EnclaveKeyCoding.decode(bytes) else { return nil }
                return KeptKey(publicKey: key.publicKey, bits: 256)
            }
            guard case .number(let typeNumber)? = attributes[.type],
                let type = UInt32(exactly: typeNumber).flatMap(KeyType.init(rawValue:)),
                case .number(let partNumber)? = attributes[.keyClass],
                // Of what is called a public key the bytes would be told, and they are not to be told.
                let part = UInt32(exactly: partNumber).flatMap(KeyPart.init(rawValue:)), part != .public,
                let outline = unsafe try? KeyOutline(type, part, bytes)
            else { return nil }
            return KeptKey(publicKey: outline.publicRepresentation, bits: outline.bits)
        }
    }
}
