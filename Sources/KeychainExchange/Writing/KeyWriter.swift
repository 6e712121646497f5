// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// Writes one key.
struct KeyWriter {
    private let key: any OutgoingKey
    private let passphrase: Passphrase?

    init(_ key: any OutgoingKey, _ passphrase: Passphrase?) {
        self.key = key
        self.passphrase = passphrase
    }

    func output(_ format: FileFormat) throws(ExchangeFailure) -> FileWriter.Output {
        switch (format, key.key.part) {
        case (.openSSL, .public):
            guard let info = key.key.subjectPublicKeyInfo else { throw FileWriter.unfit }
            return FileWriter.publicOutput("PUBLIC KEY", info)
        case (.bsafe, .public):
            guard key.key.type == .rsa, let bytes = key.key.publicRepresentation else { throw FileWriter.unfit }
            return FileWriter.publicOutput("RSA PUBLIC KEY", bytes)
        case (.openSSL, .private): return try ownForm()
        case (.bsafe, .private):
            try checkOpen()
            return Self.output("PRIVATE KEY", try key.exported(isWrapped: false).pkcs8)
        case (.wrappedPKCS8, .private): return try wrapped()
        case (.rawKey, .symmetric):
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
        return Self.output(label, try ExchangeFailure.translating { () throws(ExchangeError) in try file.ownForm() })
    }

    private func wrapped() throws(ExchangeFailure) -> FileWriter.Output {
        guard let passphrase, passphrase.bytes.count > 0 else {
            throw ExchangeFailure(.passphraseRequired, "a key is wrapped under a passphrase that is not empty")
        }
        let file = try key.exported(isWrapped: true)
        let bytes = try ExchangeFailure.translating { () throws(ExchangeError) in try file.encrypted(passphrase.bytes) }
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
