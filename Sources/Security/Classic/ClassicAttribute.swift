// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import LlaveroFoundation

/// One attribute between the form that the classic functions give it and ours.
struct ClassicAttribute {
    /// The forms, with their numbers in CDSA.
    enum Form: UInt32 {
        case text = 0
        case signed = 1
        case unsigned = 2
        case date = 5
        case bytes = 6
    }

    let attribute: Attribute
    let form: Form

    /// Of an item of a class; throws for one that the class does not have.
    init(_ tag: SecKeychainAttrType, of itemClass: ItemClass) throws(KeychainError) {
        guard let attribute = ClassicAttribute.named(tag, of: itemClass), attribute.isKnown(to: itemClass) else {
            throw KeychainError(.noSuchAttribute, "the class has no such attribute", subject: FourLetterCode.text(tag))
        }
        self.attribute = attribute
        form =
            switch attribute {
            case .creationDate, .modificationDate, .startDate, .endDate: .date
            case .isInvisible, .isNegative, .hasCustomIcon: .signed
            case .creator, .type, .scriptCode, .port, .protocol, .authenticationType, .certificateType,
                .certificateEncoding:
                .unsigned
            case .generic, .issuer, .subject, .serialNumber, .subjectKeyID, .publicKeyHash, .applicationLabel,
                .applicationTag:
                .bytes
            case _ where ClassicAttribute.ofKeys.contains(attribute) && attribute.kind == .number: .unsigned
            default: .text
            }
    }

    private static func named(_ tag: SecKeychainAttrType, of itemClass: ItemClass) -> Attribute? {
        switch tag {
        case 0..<SecKeychainAttrType(ofKeys.count): itemClass == .key ? ofKeys[Int(tag)] : nil
        // Of certificates, which have other letters in a dictionary.
        case 0x69_73_73_75: .issuer  // issu
        case 0x73_6E_62_72: .serialNumber  // snbr
        case 0x68_70_6B_79: .publicKeyHash  // hpky
        case 0x73_75_62_6A, 0x73_6B_69_64: Attribute(rawValue: tag)  // subj, skid
        default: SecItemAttr(rawValue: tag) == nil ? nil : Attribute(rawValue: tag)
        }
    }

    /// The tags that an item of the class answers to, in Apple's order.
    static func tags(of itemClass: ItemClass) -> [SecKeychainAttrType] {
        guard itemClass != .key else { return Array(0..<SecKeychainAttrType(ofKeys.count)) }
        return SecItemAttr.allCases.map(\.rawValue).filter {
            named($0, of: itemClass)?.isKnown(to: itemClass) ?? false
        }
    }

    /// What the numbers of a key's attributes mean, from ``kSecKeyKeyClass`` to ``kSecKeyUnwrap``.
    private static let ofKeys: [Attribute] = [
        .keyClass, .label, .alias, .isPermanent, .isPrivate, .isModifiable, .applicationLabel, .applicationTag,
        .creator, .type, .keySizeInBits, .effectiveKeySize, .startDate, .endDate, .isSensitive, .wasAlwaysSensitive,
        .isExtractable, .wasNeverExtractable, .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify,
        .canSignRecover, .canVerifyRecover, .canWrap, .canUnwrap,
    ]

    /// The value as bytes; nil where there is none.
    func bytes(of value: AttributeValue?) -> [UInt8]? {
        switch value {
        case nil: nil
        case .data(let bytes): Array(bytes)
        case .date(let date): ClassicAttribute.stamp(date)
        case .number(let number):
            form == .text || form == .bytes
                ? Array(String(number).utf8) : ClassicAttribute.four(UInt32(truncatingIfNeeded: number))
        case .string(let text):
            switch attribute {
            case .protocol: FourLetterCode.code(text).map(ClassicAttribute.four) ?? Array(text.utf8)
            case .authenticationType:
                FourLetterCode.code(text).map { ClassicAttribute.four($0.byteSwapped) } ?? Array(text.utf8)
            default: Array(text.utf8)
            }
        }
    }

    /// The value in the bytes, as an object of the dictionaries.
    func object(_ bytes: [UInt8]) throws(KeychainError) -> Any {
        switch form {
        case .bytes: return NSData(copying: bytes)
        case .text: return String(validating: bytes, as: UTF8.self) ?? NSData(copying: bytes)
        case .date:
            guard let date = ClassicAttribute.date(bytes) else { throw malformed }
            return date
        case .signed, .unsigned:
            guard let number = ClassicAttribute.number(bytes) else { throw malformed }
            switch attribute {
            case .protocol: return number == 0 ? "" : FourLetterCode.text(number)
            case .authenticationType: return number == 0 ? "" : FourLetterCode.text(number.byteSwapped)
            default: return form == .signed ? Int(Int32(bitPattern: number)) : Int(number)
            }
        }
    }

    private var malformed: KeychainError {
        KeychainError(.parameter, "the bytes are no value of this attribute", subject: attribute.key)
    }

    /// Nothing is zero; a program may pass as few bytes as its own type has.
    private static func number(_ bytes: [UInt8]) -> UInt32? {
        guard [0, 1, 2, 4].contains(bytes.count) else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func four(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    // MARK: Dates, as `yyyymmddhhmmssZ` and a zero.

    private static func stamp(_ date: Double) -> [UInt8]? {
        guard let seconds = Int64(exactly: date.rounded(.down)) else { return nil }
        return Array(UTCTime(secondsSince2001: seconds).digits.utf8) + [0]
    }

    private static func date(_ bytes: [UInt8]) -> Date? {
        let text = bytes.last == 0 ? bytes.dropLast() : bytes[...]
        guard text.count == 15, text.last == UInt8(ascii: "Z") else { return nil }
        let digits = text.dropLast().map { Int($0) - 48 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        guard let day = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8)) else { return nil }
        let second = number(8..<10) * 3600 + number(10..<12) * 60 + number(12..<14)
        return Date(timeIntervalSinceReferenceDate: Double(day.daysSinceReference * 86_400 + second))
    }
}

extension ItemClass {
    /// The class that a classic function names.
    init(_ named: SecItemClass) throws(KeychainError) {
        switch named {
        case .genericPasswordItemClass: self = .genericPassword
        case .internetPasswordItemClass: self = .internetPassword
        case .certificateItemClass: self = .certificate
        case .publicKeyItemClass, .privateKeyItemClass, .symmetricKeyItemClass: self = .key
        case .appleSharePasswordItemClass:
            throw KeychainError(.noSuchClass, "there are no passwords of AppleShare", subject: "ashp")
        }
    }
}

extension SecItemClass {
    /// The class of an item; of a key, by what part of one it is.
    init(_ item: FoundItem) {
        switch item.itemClass {
        case .genericPassword: self = .genericPasswordItemClass
        case .internetPassword: self = .internetPasswordItemClass
        case .certificate: self = .certificateItemClass
        case .key:
            switch item.attributes?[.keyClass] {
            case .number(0)?: self = .publicKeyItemClass
            case .number(2)?: self = .symmetricKeyItemClass
            default: self = .privateKeyItemClass
            }
        }
    }
}
