// SPDX-License-Identifier: Apache-2.0

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
