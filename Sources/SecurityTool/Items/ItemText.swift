// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem

/// An item as `security` prints it: the keychain, the class, and a line for each attribute.
enum ItemText {
    enum Format: String {
        case blob
        case date = "timedate"
        case unsigned = "uint32"
        case signed = "sint32"
    }

    /// A line of the list: its name and its attribute.
    struct Line {
        /// A name of four letters, or the number of an attribute that has none.
        let name: String
        let format: Format
        let attribute: Attribute?
    }

    static func text(_ item: FoundItem, in path: String) -> String {
        var lines = ["keychain: \"\(path)\"", "version: 512", "class: \(className(item))", "attributes:"]
        for line in ItemLines.of(item.itemClass) {
            // There `llavero` keeps what a Mac's items have not, such as tags.
            let isOurs = line.attribute == .protected && item.isPersons
            let value = isOurs ? nil : line.attribute.flatMap { item.attributes?[$0] ?? implied($0, of: item) }
            lines.append("    \(line.name)<\(line.format.rawValue)>=\(text(of: value, line.format))")
        }
        return lines.joined(separator: "\n")
    }

    /// The alias of a certificate that was given none, as a Mac has it: its first e-mail address, or its name.
    private static func implied(_ attribute: Attribute, of item: FoundItem) -> AttributeValue? {
        guard attribute == .alias, let certificate = item.certificate else { return nil }
        return (certificate.emailAddresses.first ?? certificate.subjectSummary).map { .string($0) }
    }

    private static func className(_ item: FoundItem) -> String {
        switch item.itemClass {
        case .genericPassword, .internetPassword: return "\"\(item.itemClass.name)\""
        case .certificate: return "0x80001000 "
        case .key:
            // Public, private, symmetric.
            switch item.attributes?[.keyClass] {
            case .number(0): return "0x0000000F "
            case .number(1): return "0x00000010 "
            default: return "0x00000011 "
            }
        }
    }

    private static func text(of value: AttributeValue?, _ format: Format) -> String {
        switch (value, format) {
        case (nil, _), (.string(""), _), (.data([]), _): "<NULL>"
        case (.date(let date), _): DateText.blob(date)
        case (.number(let number), .unsigned): code(number) ?? number32(number)
        case (.number(let number), _): number32(number)
        case (.string(let text), _): BlobText.quoted(Array(text.utf8))
        case (.data(let bytes), _): BlobText.quoted(bytes)
        }
    }

    /// A creator's or a type's four letters.
    private static func code(_ number: Int64) -> String? {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        return BlobText.isPrintable(bytes) ? "\"\(String(decoding: bytes, as: UTF8.self))\"" : nil
    }

    private static func number32(_ number: Int64) -> String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        return "0x\(Hexadecimal.digits(of: bytes, uppercase: true)) "
    }
}

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
        let digits = Hexadecimal.digits(of: [number], uppercase: true)
        return ItemText.Line(name: "0x000000\(digits) ", format: format, attribute: attribute)
    }
}
