// SPDX-License-Identifier: Apache-2.0

extension Attribute {
    /// Attributes that every class of item has.
    package static let ofEveryClass: [Attribute] = [
        .accessible, .accessControl, .accessGroup, .creationDate, .modificationDate, .label, .alias, .synchronizable,
        .viewHint, .tokenID, .tombstone, .multiUser, .digest,
    ]

    private static let ofPasswords: [Attribute] = [
        .account, .itemDescription, .comment, .creator, .type, .isInvisible, .isNegative, .protected, .scriptCode,
        .hasCustomIcon,
    ]

    /// Attributes of one class beyond those of every class.
    package static func own(of itemClass: ItemClass) -> [Attribute] {
        switch itemClass {
        case .genericPassword: ofPasswords + [.service, .generic]
        case .internetPassword:
            ofPasswords + [.securityDomain, .server, .protocol, .authenticationType, .port, .path]
        case .certificate:
            [
                .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash, .certificateType,
                .certificateEncoding,
            ]
        case .key:
            [
                .keyClass, .applicationLabel, .applicationTag, .creator, .type, .keySizeInBits, .effectiveKeySize,
                .startDate, .endDate, .isPermanent, .isPrivate, .isModifiable, .isSensitive, .wasAlwaysSensitive,
                .isExtractable, .wasNeverExtractable, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify,
                .canSignRecover, .canVerifyRecover, .canWrap, .canUnwrap,
            ]
        }
    }

    /// One bit per class that knows the attribute.
    private static let classMasks: [UInt8] = {
        let known = ItemClass.allCases.map { Set(ofEveryClass + own(of: $0)) }
        return table { attribute in
            ItemClass.allCases.reduce(0) { $0 | (known[Int($1.rawValue)].contains(attribute) ? 1 << $1.rawValue : 0) }
        }
    }()

    package func isKnown(to itemClass: ItemClass) -> Bool {
        Attribute.classMasks[ordinal] & (1 << itemClass.rawValue) != 0
    }

    /// An identity knows what its certificate or its key knows.
    package func isKnown(to queried: QueriedClass) -> Bool {
        switch queried {
        case .stored(let itemClass): isKnown(to: itemClass)
        case .identity: isKnown(to: .certificate) || isKnown(to: .key)
        }
    }
}
