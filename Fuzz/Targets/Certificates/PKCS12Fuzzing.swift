// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainModel

/// A file of PKCS#12.
internal enum PKCS12Fuzzing {
    /// A whole file, under the password "p", the empty one, or none.
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard !RoundLimit.isCostly(bytes) else { return .skipped }
        var outcome = FuzzOutcome.refused
        for password in ["p", ""] {
            guard let file = try? PKCS12(reading: bytes, password: SecretBytes(password)) else { continue }
            try check(file, isWritten: writes(bytes))
            outcome = .accepted
        }
        try promise(
            (try? PKCS12(reading: bytes, password: SecretBytes("another"))) == nil,
            "a file is read with its password alone")
        return outcome
    }

    /// The row of safes, in a file whose seal is right: what the seal would else keep a fuzzer away from.
    static func feedContent(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard !RoundLimit.isCostly(bytes) else { return .skipped }
        guard let sealed = SealedPKCS12.file(of: bytes) else { throw BrokenPromise("any content can be sealed") }
        guard let file = try? PKCS12(reading: sealed, password: SecretBytes("p")) else { return .refused }
        try check(file, isWritten: writes(bytes))
        return .accepted
    }

    private static func check(_ file: PKCS12, isWritten: Bool) throws(BrokenPromise) {
        for key in file.keys { try PrivateKeyFuzzing.check(key.content) }
        for certificate in file.certificates {
            try promise(
                Certificate(der: certificate.content.der) == certificate.content, "a certificate in a file is one")
        }
        let identities = file.identities
        try promise(identities.count <= file.keys.count, "there is no identity without a key")
        for identity in identities {
            try promise(
                identity.certificate.publicKey.externalBytes == identity.privateKey.publicKey.externalBytes,
                "an identity is a key and its certificate")
            try promise(
                identity.chain.first == identity.certificate && identity.chain.count <= file.certificates.count,
                "a chain begins with the certificate, and has none twice")
        }
        if isWritten { try checkWritten(file) }
    }

    private static func checkWritten(_ file: PKCS12) throws(BrokenPromise) {
        guard file.keys.count + file.certificates.count > 0 else { return }
        guard let written = try? file.write(password: SecretBytes("p")),
            let again = try? PKCS12(reading: written, password: SecretBytes("p"))
        else { throw BrokenPromise("a file is written so that it is read") }
        try promise(
            again.keys.map { $0.content.pkcs8.array } == file.keys.map { $0.content.pkcs8.array }
                && again.certificates.map(\.content) == file.certificates.map(\.content),
            "a file that is written has the same keys and certificates")
        try promise(
            again.certificates.map(\.friendlyName) == file.certificates.map(\.friendlyName)
                && again.keys.map(\.friendlyName) == file.keys.map(\.friendlyName), "names stay when a file is written")
    }

    // What is written is hashed as often as a real file, so only one in so many is.
    private static func writes(_ bytes: [UInt8]) -> Bool {
        bytes.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) } >> 8 % 256 == 0
    }
}
