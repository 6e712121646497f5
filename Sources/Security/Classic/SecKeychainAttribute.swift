// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// An attribute of an item, as the classic functions name it.
@frozen public enum SecItemAttr: FourCharCode, Sendable, CaseIterable {
    /// When it was made, as `yyyymmddhhmmssZ` and a zero.
    case creationDateItemAttr = 0x63_64_61_74  // cdat
    /// When it was changed, as `yyyymmddhhmmssZ` and a zero.
    case modDateItemAttr = 0x6D_64_61_74  // mdat
    /// What kind of item it is, for people.
    case descriptionItemAttr = 0x64_65_73_63  // desc
    /// A comment.
    case commentItemAttr = 0x69_63_6D_74  // icmt
    /// The code of the program that made it.
    case creatorItemAttr = 0x63_72_74_72  // crtr
    /// The code of its type.
    case typeItemAttr = 0x74_79_70_65  // type
    /// The code of its script.
    case scriptCodeItemAttr = 0x73_63_72_70  // scrp
    /// Its name, for people.
    case labelItemAttr = 0x6C_61_62_6C  // labl
    /// Whether it is not shown.
    case invisibleItemAttr = 0x69_6E_76_69  // invi
    /// Whether there is no password on purpose.
    case negativeItemAttr = 0x6E_65_67_61  // nega
    /// Whether it has an icon of its own.
    case customIconItemAttr = 0x63_75_73_69  // cusi
    /// The account.
    case accountItemAttr = 0x61_63_63_74  // acct
    /// The service.
    case serviceItemAttr = 0x73_76_63_65  // svce
    /// What its program keeps with it.
    case genericItemAttr = 0x67_65_6E_61  // gena
    /// The security domain.
    case securityDomainItemAttr = 0x73_64_6D_6E  // sdmn
    /// The server.
    case serverItemAttr = 0x73_72_76_72  // srvr
    /// A ``SecAuthenticationType``.
    case authenticationTypeItemAttr = 0x61_74_79_70  // atyp
    /// The port.
    case portItemAttr = 0x70_6F_72_74  // port
    /// The path.
    case pathItemAttr = 0x70_61_74_68  // path
    /// The volume of an AppleShare password; there are none here.
    case volumeItemAttr = 0x76_6C_6D_65  // vlme
    /// The address of an AppleShare password; there are none here.
    case addressItemAttr = 0x61_64_64_72  // addr
    /// The signature of an AppleShare server; there are none here.
    case signatureItemAttr = 0x73_73_69_67  // ssig
    /// A ``SecProtocolType``.
    case protocolItemAttr = 0x70_74_63_6C  // ptcl
    /// The type of a certificate.
    case certificateType = 0x63_74_79_70  // ctyp
    /// The encoding of a certificate.
    case certificateEncoding = 0x63_65_6E_63  // cenc
    /// The type of a revocation list; there are none here.
    case crlType = 0x63_72_74_70  // crtp
    /// The encoding of a revocation list; there are none here.
    case crlEncoding = 0x63_72_6E_63  // crnc
    /// The alias.
    case alias = 0x61_6C_69_73  // alis
}

/// The class of an item, as the classic functions name it.
@frozen public enum SecItemClass: FourCharCode, Sendable, CaseIterable {
    /// A password for a server.
    case internetPasswordItemClass = 0x69_6E_65_74  // inet
    /// Any other password.
    case genericPasswordItemClass = 0x67_65_6E_70  // genp
    /// A password of AppleShare; there are none here.
    case appleSharePasswordItemClass = 0x61_73_68_70  // ashp
    /// A certificate.
    case certificateItemClass = 0x8000_1000
    /// A public key.
    case publicKeyItemClass = 0xF
    /// A private key.
    case privateKeyItemClass = 0x10
    /// A symmetric key.
    case symmetricKeyItemClass = 0x11
}

/// The tag of an attribute: a ``SecItemAttr``.
public typealias SecKeychainAttrType = OSType

// Safe: holding the pointer is not unsafe; reading what it leads to says so where it is done.
/// One attribute of an item: its tag, and where its value is.
@safe
public struct SecKeychainAttribute {
    /// Which attribute: the number of a ``SecItemAttr``.
    public var tag: SecKeychainAttrType
    /// How many bytes the value has.
    public var length: UInt32
    /// The value.
    public var data: UnsafeMutableRawPointer?

    /// An attribute that is nothing.
    public init() { unsafe self.init(tag: 0, length: 0, data: nil) }

    /// An attribute with a value.
    public init(tag: SecKeychainAttrType, length: UInt32, data: UnsafeMutableRawPointer?) {
        self.tag = tag
        self.length = length
        unsafe self.data = data
    }
}

/// Where an attribute is.
public typealias SecKeychainAttributePtr = UnsafeMutablePointer<SecKeychainAttribute>

// Safe: see SecKeychainAttribute.
/// Attributes one after the other.
@safe
public struct SecKeychainAttributeList {
    /// How many there are.
    public var count: UInt32
    /// The first of them.
    public var attr: UnsafeMutablePointer<SecKeychainAttribute>?

    /// No attributes.
    public init() { unsafe self.init(count: 0, attr: nil) }

    /// As many attributes as are said, from the first on.
    public init(count: UInt32, attr: UnsafeMutablePointer<SecKeychainAttribute>?) {
        self.count = count
        unsafe self.attr = attr
    }
}

// Safe: see SecKeychainAttribute.
/// Which attributes are wanted, and in what form their values are.
@safe
public struct SecKeychainAttributeInfo {
    /// How many there are.
    public var count: UInt32
    /// The tags: numbers of ``SecItemAttr``.
    public var tag: UnsafeMutablePointer<UInt32>
    /// The forms, as numbers of CDSA: 0 text, 1 and 2 numbers with and without a sign, 5 a date, 6 bytes; may be nil.
    public var format: UnsafeMutablePointer<UInt32>?

    /// As many tags and forms as are said.
    public init(count: UInt32, tag: UnsafeMutablePointer<UInt32>, format: UnsafeMutablePointer<UInt32>?) {
        self.count = count
        unsafe self.tag = tag
        unsafe self.format = format
    }
}

// What a certificate's attributes are called in the lists of the functions before SecItem, as four characters.

/// The certificate's kind.
public let kSecCertTypeItemAttr: Int = 0x63_74_79_70  // ctyp
/// How the certificate is written.
public let kSecCertEncodingItemAttr: Int = 0x63_65_6E_63  // cenc
/// The subject's name.
public let kSecSubjectItemAttr: Int = 0x73_75_62_6A  // subj
/// The issuer's name.
public let kSecIssuerItemAttr: Int = 0x69_73_73_75  // issu
/// The serial number.
public let kSecSerialNumberItemAttr: Int = 0x73_6E_62_72  // snbr
/// The hash of the public key.
public let kSecPublicKeyHashItemAttr: Int = 0x68_70_6B_79  // hpky
/// The name of the subject's key.
public let kSecSubjectKeyIdentifierItemAttr: Int = 0x73_6B_69_64  // skid

// What a key's attributes are called in such lists, as numbers in order.

/// What part of a key it is: 0 the public one, 1 the private one, 2 a symmetric key.
public let kSecKeyKeyClass: Int = 0
/// Its name, for people.
public let kSecKeyPrintName: Int = 1
/// Another name.
public let kSecKeyAlias: Int = 2
/// Whether it is stored.
public let kSecKeyPermanent: Int = 3
/// Whether it is private.
public let kSecKeyPrivate: Int = 4
/// Whether what is said of it can be changed.
public let kSecKeyModifiable: Int = 5
/// The hash of the public key.
public let kSecKeyLabel: Int = 6
/// What its program calls it.
public let kSecKeyApplicationTag: Int = 7
/// The code of what made it.
public let kSecKeyKeyCreator: Int = 8
/// Its algorithm, as a number of CDSA: 42 for RSA, 73 for curves.
public let kSecKeyKeyType: Int = 9
/// How many bits it has.
public let kSecKeyKeySizeInBits: Int = 10
/// How many of its bits count.
public let kSecKeyEffectiveKeySize: Int = 11
/// From when on it may be used.
public let kSecKeyStartDate: Int = 12
/// Until when it may be used.
public let kSecKeyEndDate: Int = 13
/// Whether it leaves only wrapped.
public let kSecKeySensitive: Int = 14
/// Whether that was always so.
public let kSecKeyAlwaysSensitive: Int = 15
/// Whether it can leave.
public let kSecKeyExtractable: Int = 16
/// Whether it never could.
public let kSecKeyNeverExtractable: Int = 17
/// Whether it encrypts.
public let kSecKeyEncrypt: Int = 18
/// Whether it decrypts.
public let kSecKeyDecrypt: Int = 19
/// Whether other keys are derived of it.
public let kSecKeyDerive: Int = 20
/// Whether it signs.
public let kSecKeySign: Int = 21
/// Whether it verifies signatures.
public let kSecKeyVerify: Int = 22
/// Whether its signatures give the message back.
public let kSecKeySignRecover: Int = 23
/// Whether it takes messages out of signatures.
public let kSecKeyVerifyRecover: Int = 24
/// Whether it wraps other keys.
public let kSecKeyWrap: Int = 25
/// Whether it unwraps other keys.
public let kSecKeyUnwrap: Int = 26
