// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// Reads what a file holds, whatever its format.
struct FileReader {
    let expectation: ImportExpectation
    /// nil when none was given.
    let passphrase: Passphrase?

    /// What is in all of `bytes`, which has to be PEM when `isText`.
    func read(_ bytes: UnsafeRawBufferPointer, isText: Bool) throws(ExchangeFailure) -> ImportedFile {
        let file = try unsafe content(bytes, isText)
        try expectation.check(file)
        return file
    }

    private func content(_ bytes: UnsafeRawBufferPointer, _ isText: Bool) throws(ExchangeFailure) -> ImportedFile {
        switch (expectation.format, expectation.type) {
        // The bytes of a symmetric key look like nothing; that they are one has to be said.
        case (.formatRawKey, _), (.formatUnknown, .itemTypeSessionKey):
            guard !isText else { throw ExchangeFailure(.unsupportedFormat, "there is no PEM of raw keys") }
            return try unsafe rawKey(bytes)
        default: break
        }
        guard let shape = unsafe FileShape(bytes) else {
            throw expectation.isDefinite
                ? ExchangeFailure(.undecodable, "the data is not what it is said to be, or is not all there")
                : ExchangeFailure(
                    .unknownFormat, "the data is in none of the formats that are known, or is not all there")
        }
        switch shape {
        case .text: return try unsafe TextReader(self).read(bytes)
        case .ssh: throw ImportExpectation.unsupportedSSH
        default:
            guard !isText, expectation.format != .formatPEMSequence else {
                throw ExchangeFailure(.undecodable, "the data is said to be PEM, and is not")
            }
            return try unsafe structure(shape, bytes)
        }
    }

    private func rawKey(_ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> ImportedFile {
        do throws(KeyError) {
            let key = try unsafe CryptoKey(.aes, .symmetric, representation: bytes)
            return ImportedFile(format: .formatRawKey, items: [.key(key, label: nil)])
        } catch {
            throw ExchangeFailure(.undecodable, "a raw key is one for AES, of 16, 24 or 32 bytes")
        }
    }

    /// What is in DER of that shape.
    func structure(_ shape: FileShape, _ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> ImportedFile {
        let format = shape.format
        guard expectation.allows(format) else {
            throw ExchangeFailure(.undecodable, "the data is in another format than is said")
        }
        return ImportedFile(format: format, items: try unsafe items(shape, bytes))
    }

    private func items(_ shape: FileShape, _ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> [ImportedItem] {
        switch shape {
        case .certificate:
            guard bytes.count <= Certificate.largest, let certificate = unsafe Certificate(der: Array(bytes)) else {
                throw ExchangeFailure(.undecodable, "a certificate is malformed")
            }
            return [.certificate(certificate, label: nil)]
        case .publicKeyInfo: return [.key(try unsafe CryptoKey.publicKey(info: short(bytes)), label: nil)]
        case .rsaPublicKey: return [.key(try unsafe CryptoKey.publicKey(pkcs1: short(bytes)), label: nil)]
        case .privateKeyInfo, .ownPrivateKey:
            let key = try ExchangeCall.exchanging { () throws(ExchangeError) in try unsafe PrivateKey(der: bytes) }
            return [.key(try CryptoKey.privateKey(key), label: nil)]
        case .encryptedKey:
            let passphrase = try required()
            let encrypted = try unsafe short(bytes)
            let key = try ExchangeCall.exchanging { () throws(ExchangeError) in
                guard passphrase.bytes.count > 0 else { throw .passwordRequired }
                return try PrivateKey(encrypted: encrypted, password: passphrase.bytes)
            }
            return [.key(try CryptoKey.privateKey(key), label: nil)]
        case .pkcs7:
            return try unsafe CertificateBundle.certificates(in: Array(bytes)).map { .certificate($0, label: nil) }
        case .pkcs12: return try unsafe PKCS12Contents(Array(bytes), try required()).items
        case .text, .ssh: return []
        }
    }

    /// The passphrase, which is needed.
    func required() throws(ExchangeFailure) -> Passphrase {
        guard let passphrase else {
            throw ExchangeFailure(.passphraseRequired, "the data is encrypted, and a passphrase is needed")
        }
        return passphrase
    }

    private func short(_ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> [UInt8] {
        guard bytes.count <= Self.largestKey else { throw ExchangeFailure(.undecodable, "no key is that large") }
        return unsafe Array(bytes)
    }

    private static let largestKey = 1 << 20
}

extension FileShape {
    /// What writes such a file.
    fileprivate var format: SecExternalFormat {
        switch self {
        case .certificate: .formatX509Cert
        case .publicKeyInfo, .ownPrivateKey: .formatOpenSSL
        case .rsaPublicKey, .privateKeyInfo: .formatBSAFE
        case .encryptedKey: .formatWrappedPKCS8
        case .pkcs7: .formatPKCS7
        case .pkcs12: .formatPKCS12
        case .text: .formatPEMSequence
        case .ssh: .formatSSHv2
        }
    }
}
