// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel
internal import KeychainStatus

/// Reads the keys and certificates of a file: PEM, DER, PKCS#12.
struct ImportFile {
    /// Asked for when something turns out to be encrypted; nil where there is none.
    let passphrase: () throws(SecurityFailure) -> SecretValue?
    /// -w: a private key has to be encrypted.
    let demandsWrapping: Bool
    /// What -f says it is.
    let format: String?

    func read(_ bytes: SecretValue) throws(SecurityFailure) -> [ImportedThing] {
        try unsafe bytes.withUnsafeBytes { (bytes) throws(SecurityFailure) in
            guard unsafe !bytes.isEmpty else { throw ImportFile.failure(.unknownFormat, "the file is empty") }
            if unsafe ImportFile.isText(bytes) { return try unsafe text(bytes) }
            guard format != "pemseq" else { throw ImportFile.failure(.undecodable, "the file is no PEM") }
            return try unsafe binary(bytes)
        }
    }

    private func text(_ bytes: UnsafeRawBufferPointer) throws(SecurityFailure) -> [ImportedThing] {
        guard format != "pkcs12" else { throw ImportFile.failure(.undecodable, "the file is no PKCS#12") }
        let blocks = try ImportFile.translating { () throws(ExchangeError) in try unsafe PEM.blocks(in: bytes) }
        var things: [ImportedThing] = []
        for block in blocks {
            switch block.label {
            case "CERTIFICATE", "X509 CERTIFICATE":
                let der = unsafe block.content.withUnsafeBytes { unsafe Array($0) }
                guard let certificate = Certificate(der: der) else {
                    throw ImportFile.failure(.undecodable, "a certificate is malformed")
                }
                things.append(.certificate(certificate, label: nil))
            case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY":
                things.append(.key(try key(block), label: nil))
            case "EC PARAMETERS": continue
            default:
                throw ImportFile.failure(
                    .unsupportedFormat, "there is something else in the file than certificates and private keys")
            }
            guard things.count <= ImportFile.most else {
                throw ImportFile.failure(.undecodable, "the file has too much in it")
            }
        }
        guard !things.isEmpty else { throw ImportFile.failure(.undecodable, "nothing is in the file") }
        return things
    }

    private func key(_ block: PEMBlock) throws(SecurityFailure) -> CryptoKey {
        let none = unsafe SecretBytes(count: 0) { _ in }
        var open: PrivateKey?
        do throws(ExchangeError) { open = try PrivateKey(block, password: none) } catch {
            guard error == .passwordRequired else { throw ImportFile.failure(of: error) }
        }
        if let open {
            try requireWrapping(of: open)
            return try ImportFile.checked(open)
        }
        let password = try required()
        return try ImportFile.checked(
            try ImportFile.translating { () throws(ExchangeError) in try PrivateKey(block, password: password) })
    }

    private func binary(_ bytes: UnsafeRawBufferPointer) throws(SecurityFailure) -> [ImportedThing] {
        if format == nil || format == "openssl" || format == "x509",
            bytes.count <= Certificate.largest, let certificate = unsafe Certificate(der: Array(bytes))
        {
            return [.certificate(certificate, label: nil)]
        }
        if format == nil || format == "pkcs12", unsafe ImportFile.isPKCS12(bytes) { return try unsafe pkcs12(bytes) }
        if format == nil || ["openssl", "bsafe", "pkcs8"].contains(format),
            let key = unsafe try? PrivateKey(der: bytes)
        {
            try requireWrapping(of: key)
            return [.key(try ImportFile.checked(key), label: nil)]
        }
        if format == nil || format == "pkcs8", unsafe bytes.count < 1 << 16 && bytes[0] == 0x30 {
            let none = unsafe SecretBytes(count: 1) { unsafe $0[0] = 0x20 }
            let file = unsafe Array(bytes)
            // What is no key at all is told from one under another password by this.
            var isEncrypted = true
            do throws(ExchangeError) { _ = try PrivateKey(encrypted: file, password: none) } catch {
                isEncrypted = error == .wrongPassword
            }
            if isEncrypted {
                let password = try required()
                let key = try ImportFile.translating { () throws(ExchangeError) in
                    try PrivateKey(encrypted: file, password: password)
                }
                return [.key(try ImportFile.checked(key), label: nil)]
            }
        }
        throw ImportFile.failure(
            .unknownFormat,
            "the file is no PEM, no PKCS#12, and neither a certificate nor a private key in DER, or not all of it")
    }

    private func pkcs12(_ bytes: UnsafeRawBufferPointer) throws(SecurityFailure) -> [ImportedThing] {
        let password = try required()
        let file: PKCS12
        do throws(ExchangeError) { file = try unsafe PKCS12(reading: Array(bytes), password: password) } catch {
            guard error == .wrongPassword || error == .unprotected else { throw ImportFile.failure(of: error) }
            throw ImportFile.failure(.unverifiedPKCS12, nil)
        }
        var things = file.certificates.map { ImportedThing.certificate($0.content, label: $0.friendlyName) }
        for entry in file.keys {
            let name = file.certificates.first {
                $0.content.publicKey.externalBytes == entry.content.publicKey.externalBytes
            }?.content.subjectSummary
            things.append(.key(try ImportFile.checked(entry.content), label: entry.friendlyName ?? name))
        }
        guard !things.isEmpty else { throw ImportFile.failure(.undecodable, "nothing is in the file") }
        return things
    }

    private func required() throws(SecurityFailure) -> SecretBytes {
        guard let given = try passphrase() else {
            throw ImportFile.failure(
                .passphraseRequired, "-P gives the passphrase, --passphrase-fd N reads it from a descriptor")
        }
        return unsafe given.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
    }

    private func requireWrapping(of key: PrivateKey) throws(SecurityFailure) {
        guard !demandsWrapping else {
            throw ImportFile.failure(.unsupportedFormat, "-w says that private keys are encrypted, and one is not")
        }
    }

    private static func checked(_ key: PrivateKey) throws(SecurityFailure) -> CryptoKey {
        guard let key = key.cryptoKey() else {
            throw failure(.keySizeNotAllowed, "a key is of a kind or a size that items do not have")
        }
        return key
    }

    private static let most = 1000
}
