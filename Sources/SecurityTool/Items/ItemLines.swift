// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Which attributes are printed of each class, in the order that a Mac prints them in.
enum ItemLines {
    static func of(_ itemClass: ItemClass) -> [ItemText.Line] {
        switch itemClass {
        case .genericPassword:
            numbered + [
                line("acct", .account), line("cdat", .creationDate, .date), line("crtr", .creator, .unsigned),
                line("cusi", .hasCustomIcon, .signed), line("desc", .itemDescription), line("gena", .generic),
                line("icmt", .comment), line("invi", .isInvisible, .signed), line("mdat", .modificationDate, .date),
                line("nega", .isNegative, .signed), line("prot", .protected), line("scrp", .scriptCode, .signed),
                line("svce", .service), line("type", .type, .unsigned),
            ]
        case .internetPassword:
            numbered + [
                line("acct", .account), line("atyp", .authenticationType), line("cdat", .creationDate, .date),
                line("crtr", .creator, .unsigned), line("cusi", .hasCustomIcon, .signed),
                line("desc", .itemDescription), line("icmt", .comment), line("invi", .isInvisible, .signed),
                line("mdat", .modificationDate, .date), line("nega", .isNegative, .signed), line("path", .path),
                line("port", .port, .unsigned), line("prot", .protected), line("ptcl", .protocol, .unsigned),
                line("scrp", .scriptCode, .signed), line("sdmn", .securityDomain), line("srvr", .server),
                line("type", .type, .unsigned),
            ]
        case .certificate:
            [
                line("alis", .alias), line("cenc", .certificateEncoding, .unsigned),
                line("ctyp", .certificateType, .unsigned), line("hpky", .publicKeyHash), line("issu", .issuer),
                line("labl", .label), line("skid", .subjectKeyID), line("snbr", .serialNumber),
                line("subj", .subject),
            ]
        case .key: keys
        }
    }

    /// By the numbers that a Mac prints for the attributes of keys.
    private static let keys: [ItemText.Line] = [
        number(0, .keyClass, .unsigned), number(1, .label), number(2, .alias), number(3, .isPermanent, .unsigned),
        number(4, .isPrivate, .unsigned), number(5, .isModifiable, .unsigned), number(6, .applicationLabel),
        number(7, .applicationTag), number(8, .creator, .unsigned), number(9, .type, .unsigned),
        number(10, .keySizeInBits, .unsigned), number(11, .effectiveKeySize, .unsigned),
        number(12, .startDate, .date), number(13, .endDate, .date), number(14, .isSensitive, .unsigned),
        number(15, .wasAlwaysSensitive, .unsigned), number(16, .isExtractable, .unsigned),
        number(17, .wasNeverExtractable, .unsigned), number(18, .canEncrypt, .unsigned),
        number(19, .canDecrypt, .unsigned), number(20, .canDerive, .unsigned), number(21, .canSign, .unsigned),
        number(22, .canVerify, .unsigned), number(23, .canSignRecover, .unsigned),
        number(24, .canVerifyRecover, .unsigned), number(25, .canWrap, .unsigned), number(26, .canUnwrap, .unsigned),
    ]

    private static let numbered = [number(7, .label), number(8, nil)]

    private static func line(
        _ name: String, _ attribute: Attribute, _ format: ItemText.Format = .blob
    ) -> ItemText.Line { ItemText.Line(name: "\"\(name)\"", format: format, attribute: attribute) }

    private static func number(
        _ number: UInt8, _ attribute: Attribute?, _ format: ItemText.Format = .blob
    ) -> ItemText.Line {
        let digits = BlobText.hexadecimal([number], uppercase: true)
        return ItemText.Line(name: "0x000000\(digits) ", format: format, attribute: attribute)
    }
}
