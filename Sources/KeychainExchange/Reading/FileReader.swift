// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// Reads what a file holds, whatever its format.
package struct FileReader {
    let expectation: FileExpectation
    /// nil when none was given.
    let passphrase: Passphrase?

    package init(_ expectation: FileExpectation, passphrase: Passphrase?) {
        self.expectation = expectation
        self.passphrase = passphrase
    }

    /// What is in all of `bytes`, which has to be PEM when `isText`.
    package func read(_ bytes: UnsafeRawBufferPointer, isText: Bool) throws(ExchangeFailure) -> FileContents {
        let file = try unsafe content(bytes, isText)
        try expectation.check(file)
        return file
    }

    private func content(_ bytes: UnsafeRawBufferPointer, _ isText: Bool) throws(ExchangeFailure) -> FileContents {
        if expectation.isRawKey {
            guard !isText else { throw ExchangeFailure(.unsupportedFormat, "there is no PEM of raw keys") }
            return try unsafe rawKey(bytes)
        }
        guard let shape = unsafe FileShape(bytes) else {
            throw expectation.isDefinite
                ? ExchangeFailure(.undecodable, "the data is not what it is said to be, or is not all there")
                : ExchangeFailure(
                    .unknownFormat, "the data is in none of the formats that are known, or is not all there")
        }
        switch shape {
        case .text: return try unsafe TextReader(self).read(bytes)
        case .ssh: throw FileExpectation.unsupportedSSH
        default:
            guard !isText, !expectation.isSequence else {
                throw ExchangeFailure(.undecodable, "the data is said to be PEM, and is not")
            }
            return try unsafe structure(shape, bytes)
        }
    }

    private func rawKey(_ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> FileContents {
        do throws(KeyError) {
            let key = try unsafe CryptoKey(.aes, .symmetric, representation: bytes)
            return FileContents(format: .rawKey, items: [.key(key, label: nil)])
        } catch {
            throw ExchangeFailure(.undecodable, "a raw key is one for AES, of 16, 24 or 32 bytes")
        }
    }

    /// What is in DER of that shape.
    func structure(_ shape: FileShape, _ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> FileContents {
        guard let format = shape.format, expectation.allows(format) else {
            throw ExchangeFailure(.undecodable, "the data is in another format than is said")
        }
        return FileContents(format: format, items: try unsafe items(shape, bytes))
    }

    private func items(_ shape: FileShape, _ bytes: UnsafeRawBufferPointer) throws(ExchangeFailure) -> [FileItem] {
        switch shape {
        case .certificate:
            guard bytes.count <= Certificate.largest, let certificate = unsafe Certificate(der: Array(bytes)) else {
                throw ExchangeFailure(.undecodable, "a certificate is malformed")
            }
            return [.certificate(certificate, label: nil)]
        case .publicKeyInfo: return [.key(try unsafe CryptoKey.publicKey(info: short(bytes)), label: nil)]
        case .rsaPublicKey: return [.key(try unsafe CryptoKey.publicKey(pkcs1: short(bytes)), label: nil)]
        case .privateKeyInfo, .ownPrivateKey:
            let key = try ExchangeFailure.translating { () throws(ExchangeError) in try unsafe PrivateKey(der: bytes) }
            try expectation.checkOpenKey()
            return [.key(try CryptoKey.privateKey(key), label: nil)]
        case .encryptedKey:
            let passphrase = try required()
            let encrypted = try unsafe short(bytes)
            let key = try ExchangeFailure.translating { () throws(ExchangeError) in
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
    fileprivate var format: FileFormat? {
        switch self {
        case .certificate: .certificate
        case .publicKeyInfo, .ownPrivateKey: .openSSL
        case .rsaPublicKey, .privateKeyInfo: .bsafe
        case .encryptedKey: .wrappedPKCS8
        case .pkcs7: .pkcs7
        case .pkcs12: .pkcs12
        case .text, .ssh: nil
        }
    }
}
