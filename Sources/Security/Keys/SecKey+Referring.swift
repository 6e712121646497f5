// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainEngine
internal import KeychainKeys
package import KeychainModel
package import KeychainParsing
internal import KeychainRequest

extension SecKey: ItemReferring {
    package func referral(for purpose: ReferralPurpose) throws(KeychainError) -> ItemReferral {
        // The bytes of a key that stays inside are not here to be named by, and its item may say what it likes of them.
        if purpose == .choosing || purpose == .finding && key.isHeldElsewhere, let item {
            return .stored(.item(.key, item.id))
        }
        switch purpose {
        // By what the key says of itself, as on Apple's systems, also of one that came out of a keychain: then it finds
        // every item of the same key that is not synchronizable, and none that is.
        case .finding, .choosing:
            let attributes = try identifyingAttributes()
            // Kind and size alone would name every key of them.
            guard attributes.contains(.applicationLabel) else {
                throw KeychainError(.parameter, "a key of zeros has no application label", subject: "v_Ref")
            }
            return .item(ItemContent(itemClass: .key, attributes: attributes, secret: nil))
        case .adding: return .item(try contentToAdd())
        }
    }

    func contentToAdd() throws(KeychainError) -> ItemContent {
        let attributes = try itemAttributes()
        guard key.isHeldElsewhere else {
            let bytes = try KeyCall.using { () throws(KeyError) in SecretValue(copying: try key.representation()) }
            var content = ItemContent(itemClass: .key, attributes: attributes, secret: bytes)
            content.binding = bindingAttributes
            content.accessControl = terms.accessControl
            return content
        }
        guard let item else {
            throw KeychainError(
                .parameter, "a key of the enclave can be stored only when it is generated, with kSecAttrIsPermanent",
                subject: "tkid")
        }
        return ItemContent(itemClass: .key, attributes: attributes, secret: nil, origin: .stored(item.id))
    }
}

extension SecKey {
    /// The key as it is after it was stored under these attributes.
    func stored(_ attributes: KeyAttributes) throws(KeychainError) -> SecKey {
        let request = try attributes.addRequest(of: try contentToAdd())
        let host = try CurrentKeychain.host()
        guard let item = try host.session().add(request),
            let key = SecKey(item, in: host, publicTerms: publicTerms, authentication: request.authentication)
        else { throw KeychainError(.internalError, "the stored item does not contain the key") }
        return key
    }

    /// The key in an item; nil when the item's bytes are no such key's.
    convenience init?(
        _ found: FoundItem, in host: any KeychainHost, publicTerms: KeyTerms = .none,
        authentication: AuthenticationTerms = .usual
    ) {
        guard let attributes = found.attributes,
            let part = SecKey.number(attributes[.keyClass]).flatMap(KeyPart.init(rawValue:)),
            let type = SecKey.number(attributes[.type]).flatMap(KeyType.init(rawValue:)),
            let key = SecKey.key(found, type, part)
        else { return nil }
        let terms = KeyTerms(attributes, found.accessControl)
        self.init(
            key, terms: part == .public ? terms.forPublicHalf : terms, publicTerms: publicTerms,
            keeper: found.keptKey.map { kept in
                KeyKeeper(
                    host: host, key: .stored(found.persistentID, publicKey: kept.publicKey),
                    authentication: authentication)
            },
            item: KeyItem(id: found.persistentID, isInEnclave: attributes.contains(.tokenID)))
    }

    private static func key(_ found: FoundItem, _ type: KeyType, _ part: KeyPart) -> CryptoKey? {
        do throws(KeyError) {
            if let kept = found.keptKey {
                let outline =
                    if let publicKey = kept.publicKey {
                        try KeyOutline(privateKeyOf: publicKey, type)
                    } else {
                        try KeyOutline(symmetric: type, bits: kept.bits)
                    }
                return CryptoKey(elsewhere: outline)
            }
            guard let secret = found.secret else { return nil }
            return try CryptoKey(type, part, ofItem: secret)
        } catch { return nil }
    }

    /// What the key's terms deny, in attributes: a public half is not secret.
    private var bindingAttributes: AttributeList {
        var attributes = AttributeList()
        for denied in terms.denied { attributes[KeyRole(denied).attribute] = .number(0) }
        if key.part == .public {
            attributes[.isExtractable] = .number(1)
            attributes[.wasNeverExtractable] = .number(0)
            attributes[.isSensitive] = .number(0)
            return attributes
        }
        if !terms.isExtractable { attributes[.isExtractable] = .number(0) }
        if terms.isSensitive { attributes[.isSensitive] = .number(1) }
        return attributes
    }

    private static func number(_ value: AttributeValue?) -> UInt32? {
        guard case .number(let number)? = value else { return nil }
        return UInt32(exactly: number)
    }

    /// Whether an enclave made it.
    var isInEnclave: Bool {
        switch keeper?.key {
        case .loose?, .outside?: true
        case .stored?, nil: item?.isInEnclave ?? false
        }
    }
}
