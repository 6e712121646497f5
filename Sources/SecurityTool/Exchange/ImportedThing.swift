// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest

/// Something that a file holds, ready to become an item.
enum ImportedThing {
    case certificate(Certificate, label: String?)
    case key(CryptoKey, label: String?)

    /// What by its public half a key and its certificate have in common.
    var publicKey: [UInt8]? {
        switch self {
        case .certificate(let certificate, _): certificate.publicKey.externalBytes
        case .key(let key, _): key.publicRepresentation
        }
    }

    var isKey: Bool { if case .key = self { true } else { false } }

    /// With a name where it has none: that of its certificate, else `name`.
    func named(_ name: String, among others: [ImportedThing]) -> ImportedThing {
        guard case .key(let key, nil) = self else { return self }
        for case .certificate(let certificate, let label) in others
        where certificate.publicKey.externalBytes == key.publicRepresentation {
            if let label = label ?? certificate.subjectSummary { return .key(key, label: label) }
        }
        return .key(key, label: name)
    }

    /// The item; nil of a key whose bytes do not come out.
    func addRequest(isExtractable: Bool) -> AddRequest? {
        switch self {
        case .certificate(let certificate, let label):
            return request(
                .certificate, certificate.itemAttributes(label: label), SecretValue(copying: certificate.der))
        case .key(let key, let label):
            guard let bytes = try? key.representation(), let attributes = key.itemAttributes(label, isExtractable)
            else { return nil }
            return request(.key, attributes, SecretValue(copying: bytes))
        }
    }

    private func request(_ itemClass: ItemClass, _ attributes: AttributeList, _ secret: SecretValue) -> AddRequest {
        AddRequest(
            itemClass: itemClass, attributes: attributes, group: .everyGroupOfCaller,
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false, secret: secret,
            returning: .persistentReference, origin: .caller)
    }
}

extension Certificate {
    /// What an item of it says of it, as the functions of `Security` store it.
    func itemAttributes(label: String?) -> AttributeList {
        var list = AttributeList()
        list[.certificateType] = .number(Int64(version))
        list[.certificateEncoding] = .number(3)
        list[.subject] = .data(subject.normalizedContent)
        list[.issuer] = .data(issuer.normalizedContent)
        list[.serialNumber] = .data(serialNumber)
        if let identifier = subjectKeyIdentifier { list[.subjectKeyID] = .data(identifier) }
        list[.publicKeyHash] = .data(publicKey.hash)
        if let label = label ?? subjectSummary { list[.label] = .string(label) }
        return list
    }
}

extension CryptoKey {
    /// What an item of a private key says of it, as the functions of `Security` store it.
    func itemAttributes(_ label: String?, _ isExtractable: Bool) -> AttributeList? {
        guard let hash = try? applicationLabel() else { return nil }
        var list = AttributeList()
        list[.keyClass] = .number(Int64(part.rawValue))
        list[.type] = .number(Int64(type.rawValue))
        list[.keySizeInBits] = .number(Int64(bits))
        list[.effectiveKeySize] = .number(Int64(bits))
        list[.applicationLabel] = .data(hash)
        if let label { list[.label] = .string(label) }
        let truths: [(Attribute, Bool)] = [
            (.isPermanent, true), (.isPrivate, true), (.isModifiable, true), (.isSensitive, false),
            (.wasAlwaysSensitive, false), (.isExtractable, isExtractable), (.wasNeverExtractable, !isExtractable),
        ]
        for (attribute, truth) in truths { list[attribute] = .number(truth ? 1 : 0) }
        for use in CryptoKey.allUses { list[use] = .number(uses.contains(use) ? 1 : 0) }
        return list
    }

    private var uses: [Attribute] {
        switch type {
        case .rsa: [.canDecrypt, .canSign, .canUnwrap]
        case .ec: [.canDecrypt, .canDerive, .canSign, .canUnwrap]
        case .ed25519, .ed448: [.canSign]
        case .x25519, .x448: [.canDerive]
        case .aes: [.canEncrypt, .canDecrypt]
        }
    }

    private static let allUses: [Attribute] = [
        .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover, .canVerifyRecover, .canWrap,
        .canUnwrap,
    ]
}
