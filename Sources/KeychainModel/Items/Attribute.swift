// SPDX-License-Identifier: Apache-2.0

/// An attribute of an item; the raw value is its four-letter dictionary key, packed big-endian.
package enum Attribute: UInt32, Sendable, CaseIterable {
    // Every class.
    case accessible = 0x70_64_6D_6E  // pdmn
    case accessControl = 0x61_63_63_63  // accc
    case accessGroup = 0x61_67_72_70  // agrp
    case creationDate = 0x63_64_61_74  // cdat
    case modificationDate = 0x6D_64_61_74  // mdat
    case label = 0x6C_61_62_6C  // labl
    case alias = 0x61_6C_69_73  // alis
    case synchronizable = 0x73_79_6E_63  // sync
    case viewHint = 0x76_77_68_74  // vwht
    case tokenID = 0x74_6B_69_64  // tkid
    case tombstone = 0x74_6F_6D_62  // tomb
    case multiUser = 0x6D_75_73_72  // musr
    case digest = 0x73_68_61_31  // sha1
    case syncIdentifier = 0x55_55_49_44  // UUID, kept inside the item and never returned
    case circleFacts = 0x63_69_72_63  // circ, the same

    // Passwords.
    case account = 0x61_63_63_74  // acct
    case service = 0x73_76_63_65  // svce
    case generic = 0x67_65_6E_61  // gena
    case itemDescription = 0x64_65_73_63  // desc
    case comment = 0x69_63_6D_74  // icmt
    case creator = 0x63_72_74_72  // crtr, of keys too
    case type = 0x74_79_70_65  // type, of keys too
    case isInvisible = 0x69_6E_76_69  // invi
    case isNegative = 0x6E_65_67_61  // nega
    case protected = 0x70_72_6F_74  // prot
    case scriptCode = 0x73_63_72_70  // scrp
    case hasCustomIcon = 0x63_75_73_69  // cusi
    case securityDomain = 0x73_64_6D_6E  // sdmn
    case server = 0x73_72_76_72  // srvr
    case `protocol` = 0x70_74_63_6C  // ptcl
    case authenticationType = 0x61_74_79_70  // atyp
    case port = 0x70_6F_72_74  // port
    case path = 0x70_61_74_68  // path

    // Certificates.
    case subject = 0x73_75_62_6A  // subj
    case issuer = 0x69_73_73_72  // issr
    case serialNumber = 0x73_6C_6E_72  // slnr
    case subjectKeyID = 0x73_6B_69_64  // skid
    case publicKeyHash = 0x70_6B_68_68  // pkhh
    case certificateType = 0x63_74_79_70  // ctyp
    case certificateEncoding = 0x63_65_6E_63  // cenc

    // Keys.
    case keyClass = 0x6B_63_6C_73  // kcls
    case applicationLabel = 0x6B_6C_62_6C  // klbl
    case applicationTag = 0x61_74_61_67  // atag
    case isPermanent = 0x70_65_72_6D  // perm
    case isPrivate = 0x70_72_69_76  // priv
    case isModifiable = 0x6D_6F_64_69  // modi
    case keySizeInBits = 0x62_73_69_7A  // bsiz
    case effectiveKeySize = 0x65_73_69_7A  // esiz
    case startDate = 0x73_64_61_74  // sdat
    case endDate = 0x65_64_61_74  // edat
    case isSensitive = 0x73_65_6E_73  // sens
    case wasAlwaysSensitive = 0x61_73_65_6E  // asen
    case isExtractable = 0x65_78_74_72  // extr
    case wasNeverExtractable = 0x6E_65_78_74  // next
    case canEncrypt = 0x65_6E_63_72  // encr
    case canDecrypt = 0x64_65_63_72  // decr
    case canDerive = 0x64_72_76_65  // drve
    case canSign = 0x73_69_67_6E  // sign
    case canVerify = 0x76_72_66_79  // vrfy
    case canSignRecover = 0x73_6E_72_63  // snrc
    case canVerifyRecover = 0x76_79_72_63  // vyrc
    case canWrap = 0x77_72_61_70  // wrap
    case canUnwrap = 0x75_6E_77_70  // unwp

    // Written out, so that other modules compare in place: the one that the compiler makes is a call through a table.
    @inlinable
    package static func == (left: Attribute, right: Attribute) -> Bool {
        left.ordinal == right.ordinal
    }

    /// The attribute's four-letter key as a string.
    package var key: String {
        String(
            decoding: [rawValue >> 24, rawValue >> 16, rawValue >> 8, rawValue].map { UInt8(truncatingIfNeeded: $0) },
            as: UTF8.self)
    }
}

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
        case .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash, .applicationLabel, .circleFacts: .data
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

extension Attribute.Kind {
    /// Whether a value is one that coercion gives (semantics §2.5).
    package func takes(_ value: AttributeValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.blob, .string), (.blob, .data), (.blob, .number), (.data, .data),
            (.number, .number), (.date, .date):
            true
        // Text that is the exact decimal form of a number is that number: else one port would have two spellings.
        case (.number, .string(let text)): Int64(text).map { String($0) != text } ?? true
        case (.flag, .number(let number)): number == 0 || number == 1
        case (.uuid, .data(let bytes)): bytes.isEmpty || bytes.count == 16
        case (.digest, .data(let bytes)): bytes.count == 20
        case (.string, _), (.blob, _), (.data, _), (.number, _), (.flag, _), (.date, _), (.uuid, _), (.digest, _),
            (.accessControl, _):
            false
        }
    }
}

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
        var masks: [UInt8] = table { _ in 0 }
        for itemClass in ItemClass.allCases {
            for attribute in ofEveryClass + own(of: itemClass) { masks[attribute.ordinal] |= 1 << itemClass.rawValue }
        }
        return masks
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

    /// The attribute's place in `table`: the number by which Swift tells the cases apart.
    @inlinable
    package var ordinal: Int { unsafe Int(unsafeBitCast(self, to: UInt8.self)) }

    /// A table with a value for every attribute.
    package static func table<Value>(_ value: (Attribute) -> Value) -> [Value] {
        let cases = allCases
        precondition(cases.indices.allSatisfy { cases[$0].ordinal == $0 }, "Swift counts the attributes otherwise")
        return cases.map(value)
    }
}
