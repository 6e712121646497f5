// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys

/// A certificate in DER.
internal enum CertificateFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let certificate = Certificate(der: bytes) else { return .refused }
        try promise(certificate.der == bytes, "a certificate is all of its bytes")
        try promise(Certificate(der: bytes) == certificate, "a certificate that is read twice is the same")
        try promise(StrictDER.isOneElement(bytes), "a certificate is DER")
        try promise(Certificate(der: bytes + [0]) == nil, "nothing may follow a certificate")
        try promise(Certificate(der: bytes.dropLast()) == nil, "nothing of a certificate may be missing")
        try checkStored(certificate)
        try check(certificate)
        try checkKey(certificate.publicKey)
        for name in [certificate.issuer, certificate.subject] { try NameFuzzing.check(name) }
        return .accepted
    }

    /// What was read with OpenSSL's help is read without it as well.
    private static func checkStored(_ certificate: Certificate) throws(BrokenPromise) {
        guard let stored = Certificate(uncheckedRow: certificate.der) else {
            throw BrokenPromise("what was a certificate once is one in a row")
        }
        try promise(
            stored.version == certificate.version && stored.serialNumber == certificate.serialNumber
                && stored.issuer == certificate.issuer && stored.subject == certificate.subject
                && stored.notBefore == certificate.notBefore && stored.notAfter == certificate.notAfter
                && stored.publicKey == certificate.publicKey && stored.extensions == certificate.extensions
                && stored.fingerprint == certificate.fingerprint,
            "a row's certificate says what it said before")
    }

    private static func check(_ certificate: Certificate) throws(BrokenPromise) {
        try promise((1...3).contains(certificate.version), "there are three versions")
        try promise(
            certificate.version == 3 || certificate.extensions.isCritical.isEmpty, "only version 3 has extensions")
        let serial = certificate.serialNumber
        try promise(serial.first.map { $0 < 0x80 } ?? false, "a serial number is not negative")
        try promise(serial.count == 1 || serial[0] != 0 || serial[1] >= 0x80, "a serial number has no zeros before it")
        let earliest = -63_145_526_400.0
        let latest = 252_423_993_600.0
        try promise(
            (earliest..<latest).contains(certificate.notBefore) && (earliest..<latest).contains(certificate.notAfter),
            "a time is of the years 0 to 9999")
        try promise(
            !certificate.isValid(on: certificate.notBefore) || certificate.notBefore <= certificate.notAfter,
            "no day is after the last and before the first")
        try promise(certificate.fingerprint.count == 32, "a fingerprint is a SHA-256")
        try promise(certificate.addresses.allSatisfy { [4, 16].contains($0.count) }, "an address has 4 or 16 bytes")
        let texts = [certificate.subjectSummary, certificate.commonName].compactMap { $0 }
        try promise(
            (certificate.emailAddresses + certificate.dnsNames + texts).allSatisfy { $0.utf8.count <= 1 << 20 },
            "a text is no longer than the certificate")
    }

    /// What stands in a certificate can be used as a key, and has the label that the key has.
    private static func checkKey(_ info: PublicKeyInfo) throws(BrokenPromise) {
        try promise(info.hash.count == 20, "the hash of a key is a SHA-1")
        let type: KeyType
        switch info.kind {
        // Smaller and larger ones are read, and not used.
        case .rsa:
            guard KeyType.rsa.allows(bits: info.modulusBits ?? 0) else { return }
            type = .rsa
        case .ellipticCurve(.p256), .ellipticCurve(.p384), .ellipticCurve(.p521): type = .ec
        case .other(.ed25519): type = .ed25519
        case .other(.x25519): type = .x25519
        case .other(.ed448): type = .ed448
        case .other(.x448): type = .x448
        case .ellipticCurve, .other: return
        }
        guard let key = try? CryptoKey(type, .public, representation: info.externalBytes) else {
            throw BrokenPromise("the key of a certificate is one")
        }
        try promise(key.publicRepresentation == info.externalBytes, "a key in a certificate is spelt as any other")
        try promise((try? key.applicationLabel()) == info.hash, "a key in a certificate has the label of any other")
        if type == .rsa { try promise(key.bits == info.modulusBits, "a modulus has its bits") }
    }
}
