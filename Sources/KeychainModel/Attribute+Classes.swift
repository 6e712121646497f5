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
    private static let classMasks: [Attribute: UInt8] = {
        var masks: [Attribute: UInt8] = [:]
        for itemClass in ItemClass.allCases {
            for attribute in ofEveryClass + own(of: itemClass) {
                masks[attribute, default: 0] |= 1 << itemClass.rawValue
            }
        }
        return masks
    }()

    package func isKnown(to itemClass: ItemClass) -> Bool {
        (Attribute.classMasks[self] ?? 0) & (1 << itemClass.rawValue) != 0
    }

    /// An identity knows what its certificate or its key knows.
    package func isKnown(to queried: QueriedClass) -> Bool {
        switch queried {
        case .stored(let itemClass): isKnown(to: itemClass)
        case .identity: isKnown(to: .certificate) || isKnown(to: .key)
        }
    }
}
