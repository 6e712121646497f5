// SPDX-License-Identifier: Apache-2.0

extension ObjectIdentifier {
    // Attributes of names.
    package static let commonName = ObjectIdentifier(content: [0x55, 0x04, 0x03])
    package static let serialNumber = ObjectIdentifier(content: [0x55, 0x04, 0x05])
    package static let country = ObjectIdentifier(content: [0x55, 0x04, 0x06])
    package static let locality = ObjectIdentifier(content: [0x55, 0x04, 0x07])
    package static let stateOrProvince = ObjectIdentifier(content: [0x55, 0x04, 0x08])
    package static let organization = ObjectIdentifier(content: [0x55, 0x04, 0x0A])
    package static let organizationalUnit = ObjectIdentifier(content: [0x55, 0x04, 0x0B])
    package static let nameDescription = ObjectIdentifier(content: [0x55, 0x04, 0x0D])
    package static let domainComponent = ObjectIdentifier(
        content: [0x09, 0x92, 0x26, 0x89, 0x93, 0xF2, 0x2C, 0x64, 0x01, 0x19])
    package static let emailAddress = ObjectIdentifier(content: pkcs9 + [0x01])

    // Extensions.
    package static let subjectKeyIdentifier = ObjectIdentifier(content: [0x55, 0x1D, 0x0E])
    package static let keyUsage = ObjectIdentifier(content: [0x55, 0x1D, 0x0F])
    package static let subjectAlternativeName = ObjectIdentifier(content: [0x55, 0x1D, 0x11])
    package static let basicConstraints = ObjectIdentifier(content: [0x55, 0x1D, 0x13])
    package static let extendedKeyUsage = ObjectIdentifier(content: [0x55, 0x1D, 0x25])
    internal static let extensionRequest = ObjectIdentifier(content: pkcs9 + [0x0E])

    // Purposes.
    package static let anyPurpose = ObjectIdentifier(content: [0x55, 0x1D, 0x25, 0x00])
    package static let serverAuthentication = ObjectIdentifier(content: purposes + [0x01])
    package static let clientAuthentication = ObjectIdentifier(content: purposes + [0x02])
    package static let codeSigning = ObjectIdentifier(content: purposes + [0x03])
    package static let emailProtection = ObjectIdentifier(content: purposes + [0x04])
    package static let ocspSigning = ObjectIdentifier(content: purposes + [0x09])

    // Keys and curves.
    package static let rsa = ObjectIdentifier(content: pkcs1 + [0x01])
    package static let rsaPSS = ObjectIdentifier(content: pkcs1 + [0x0A])
    package static let ellipticCurve = ObjectIdentifier(content: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01])
    package static let x25519 = ObjectIdentifier(content: [0x2B, 0x65, 0x6E])
    package static let x448 = ObjectIdentifier(content: [0x2B, 0x65, 0x6F])
    package static let ed25519 = ObjectIdentifier(content: [0x2B, 0x65, 0x70])
    package static let ed448 = ObjectIdentifier(content: [0x2B, 0x65, 0x71])
    package static let p256 = ObjectIdentifier(content: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07])
    package static let p384 = ObjectIdentifier(content: [0x2B, 0x81, 0x04, 0x00, 0x22])
    package static let p521 = ObjectIdentifier(content: [0x2B, 0x81, 0x04, 0x00, 0x23])

    // Signatures.
    internal static let pkcs1: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]
    internal static let ecdsaSHA2: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03]
    private static let pkcs9: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09]
    private static let purposes: [UInt8] = [0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03]
}
