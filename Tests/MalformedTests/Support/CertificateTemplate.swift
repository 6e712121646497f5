// SPDX-License-Identifier: Apache-2.0

/// A certificate as RFC 5280 §4.1 has it, part by part; its signature is nobody's.
struct CertificateTemplate {
    /// The content of the version's INTEGER; nil for no version, which is version 1.
    var version: [UInt8]? = [2]
    var serialNumber = DER.integer([1])
    var algorithm = DER.sequence(DER.identifier(Self.ecdsaWithSHA256))
    var outerAlgorithm: [UInt8]?
    var issuer = Self.name(DER.text(0x0C, "issuer"))
    var notBefore = DER.text(0x17, "240101000000Z")
    var notAfter = DER.text(0x18, "20540101000000Z")
    var subject = Self.name(DER.text(0x0C, "subject"))
    var publicKey: [UInt8]
    var identifiers: [UInt8] = []
    /// Each a whole Extension; nil for none of them.
    var extensions: [[UInt8]]? = [Self.extension([0x55, 0x1D, 0x0E], DER.octetString([1, 2, 3, 4]))]
    var signature = DER.bitString(DER.sequence(DER.integer([1]), DER.integer([1])))

    init(publicKey: [UInt8]) { self.publicKey = publicKey }

    var der: [UInt8] {
        let head = version.map { DER.element(0xA0, DER.integer($0)) } ?? []
        let tail = extensions.map { DER.element(0xA3, DER.element(0x30, $0.flatMap(\.self))) } ?? []
        let validity = DER.sequence(notBefore, notAfter)
        let content = DER.element(
            0x30, head + serialNumber + algorithm + issuer + validity + subject + publicKey + identifiers + tail)
        return DER.sequence(content, outerAlgorithm ?? algorithm, signature)
    }

    /// This, changed.
    func with(_ change: (inout CertificateTemplate) -> Void) -> [UInt8] {
        var copy = self
        change(&copy)
        return copy.der
    }

    /// A name of one common name, whose value is any element.
    static func name(_ value: [UInt8]) -> [UInt8] {
        DER.sequence(DER.set(DER.sequence(DER.identifier([0x55, 0x04, 0x03]), value)))
    }

    static func `extension`(_ type: [UInt8], _ value: [UInt8], critical: [UInt8] = []) -> [UInt8] {
        DER.sequence(DER.identifier(type), critical, DER.octetString(value))
    }

    static func rsa(_ modulus: [UInt8], _ exponent: [UInt8], more: [UInt8] = []) -> [UInt8] {
        let key = DER.sequence(DER.integer(modulus), DER.integer(exponent)) + more
        return DER.sequence(DER.sequence(DER.identifier(rsaEncryption), DER.null), DER.bitString(key))
    }

    static func p256(_ point: [UInt8]) -> [UInt8] {
        DER.sequence(DER.sequence(DER.identifier(ecPublicKey), DER.identifier(prime256)), DER.bitString(point))
    }

    private static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
    private static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let prime256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
}
