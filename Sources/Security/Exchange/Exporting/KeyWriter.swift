// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// Writes one key.
struct KeyWriter {
    private let key: SecKey
    private let passphrase: Passphrase?

    init(_ key: SecKey, _ passphrase: Passphrase?) {
        self.key = key
        self.passphrase = passphrase
    }

    func output(_ format: SecExternalFormat) throws(ExchangeFailure) -> FileWriter.Output {
        switch (format, key.key.part) {
        case (.formatOpenSSL, .public):
            guard let info = key.key.subjectPublicKeyInfo else { throw FileWriter.unfit }
            return FileWriter.publicOutput("PUBLIC KEY", info)
        case (.formatBSAFE, .public):
            guard key.key.type == .rsa, let bytes = key.key.publicRepresentation else { throw FileWriter.unfit }
            return FileWriter.publicOutput("RSA PUBLIC KEY", bytes)
        case (.formatOpenSSL, .private): return try ownForm()
        case (.formatBSAFE, .private):
            try checkOpen()
            return Self.output("PRIVATE KEY", try key.exported(isWrapped: false).pkcs8)
        case (.formatWrappedPKCS8, .private): return try wrapped()
        case (.formatRawKey, .symmetric):
            try checkOpen()
            return FileWriter.Output(label: "", content: try key.exportedBytes())
        default: throw FileWriter.unfit
        }
    }

    private func ownForm() throws(ExchangeFailure) -> FileWriter.Output {
        try checkOpen()
        let file = try key.exported(isWrapped: false)
        let label: StaticString
        switch key.key.type {
        case .rsa: label = "RSA PRIVATE KEY"
        case .ec: label = "EC PRIVATE KEY"
        // They have no form of their own.
        default: return Self.output("PRIVATE KEY", file.pkcs8)
        }
        return Self.output(label, try ExchangeCall.exchanging { () throws(ExchangeError) in try file.ownForm() })
    }

    private func wrapped() throws(ExchangeFailure) -> FileWriter.Output {
        guard let passphrase, passphrase.bytes.count > 0 else {
            throw ExchangeFailure(.passphraseRequired, "a key is wrapped under a passphrase that is not empty")
        }
        let file = try key.exported(isWrapped: true)
        let bytes = try ExchangeCall.exchanging { () throws(ExchangeError) in try file.encrypted(passphrase.bytes) }
        return FileWriter.publicOutput("ENCRYPTED PRIVATE KEY", bytes)
    }

    /// Throws when the caller believes that the key will be encrypted.
    private func checkOpen() throws(ExchangeFailure) {
        guard passphrase == nil else {
            throw .parameter("this format leaves the key open; for a passphrase use wrapped PKCS#8 or PKCS#12")
        }
    }

    private static func output(_ label: StaticString, _ bytes: borrowing SecretBytes) -> FileWriter.Output {
        FileWriter.Output(label: label, content: unsafe bytes.withUnsafeBytes { unsafe SecretValue(copying: $0) })
    }
}
