// SPDX-License-Identifier: Apache-2.0

extension Attribute {
    /// What values an attribute takes and how a caller's object is coerced (semantics §2.5).
    package enum Kind: Sendable {
        /// Text; UTF-8 data and UUIDs become text.
        case string
        /// Text, data or a number, kept as given.
        case blob
        /// Bytes; text gives its UTF-8, a number its four bytes.
        case data
        /// A number; a boolean is 0 or 1, text becomes a number when it is the exact decimal form, else stays text.
        case number
        /// 0 or 1 and nothing else.
        case flag
        case date
        /// Empty or 16 bytes.
        case uuid
        /// 20 bytes.
        case digest
        /// An access control object.
        case accessControl
    }

    package var kind: Kind {
        switch self {
        case .accessible, .accessGroup, .viewHint, .tokenID: .string
        case .label, .alias, .account, .service, .generic, .itemDescription, .comment, .protected, .securityDomain,
            .server, .authenticationType, .path, .applicationTag:
            .blob
        case .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash, .applicationLabel: .data
        case .synchronizable, .tombstone: .flag
        case .creationDate, .modificationDate, .startDate, .endDate: .date
        case .multiUser, .syncIdentifier: .uuid
        case .digest: .digest
        case .accessControl: .accessControl
        case .creator, .type, .isInvisible, .isNegative, .scriptCode, .hasCustomIcon, .protocol, .port,
            .certificateType, .certificateEncoding, .keyClass, .isPermanent, .isPrivate, .isModifiable, .keySizeInBits,
            .effectiveKeySize, .isSensitive, .wasAlwaysSensitive, .isExtractable, .wasNeverExtractable, .canEncrypt,
            .canDecrypt, .canDerive, .canSign, .canVerify, .canSignRecover, .canVerifyRecover, .canWrap, .canUnwrap:
            .number
        }
    }
}
