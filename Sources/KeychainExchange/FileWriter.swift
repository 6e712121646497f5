// SPDX-License-Identifier: Apache-2.0

package import KeychainCertificates
package import KeychainKeys
package import KeychainModel

/// Writes keys and certificates into a file.
package struct FileWriter {
    /// What is written, with the words that stand around it in PEM.
    struct Output {
        let label: StaticString
        let content: SecretValue
    }

    let passphrase: Passphrase?
    /// Whether a PKCS#12 file is written under an empty passphrase too, where a person wrote that out.
    private let mayBeEmpty: Bool

    package init(passphrase: Passphrase?, mayBeEmpty: Bool = false) {
        self.passphrase = passphrase
        self.mayBeEmpty = mayBeEmpty
    }

    /// The file, in the format that programs expect where none is given; `isText` for PEM, which a sequence always is.
    package func write(
        _ items: [OutgoingItem], as given: FileFormat?, isText: Bool
    ) throws(ExchangeFailure) -> SecretValue {
        let format = given ?? Self.usualFormat(of: items)
        if format == .pemSequence {
            var blocks: [SecretValue] = []
            for item in items { blocks.append(try block(item).text) }
            return SecretValue(joining: blocks)
        }
        let output = try output(items, format)
        guard isText else { return output.content }
        guard format != .rawKey else { throw ExchangeFailure(.unsupportedFormat, "raw keys have no PEM form") }
        return output.text
    }

    private static func usualFormat(of items: [OutgoingItem]) -> FileFormat {
        guard items.count == 1, let only = items.first else { return .pemSequence }
        switch only {
        case .certificate: return .certificate
        case .key(let key): return key.key.part == .symmetric ? .rawKey : .openSSL
        }
    }

    private func output(_ items: [OutgoingItem], _ format: FileFormat) throws(ExchangeFailure) -> Output {
        switch format {
        case .certificate:
            guard let certificate = try only(items).certificate else { throw Self.unfit }
            return Self.publicOutput("CERTIFICATE", certificate.der)
        case .pkcs7:
            let certificates = items.compactMap(\.certificate)
            guard certificates.count == items.count else { throw Self.unfit }
            return Self.publicOutput("PKCS7", CertificateBundle.file(of: certificates))
        case .pkcs12: return Self.publicOutput("PKCS12", try pkcs12(items))
        case .openSSL, .bsafe, .wrappedPKCS8, .rawKey:
            guard case .key(let key) = try only(items) else { throw Self.unfit }
            return try KeyWriter(key, passphrase).output(format)
        case .wrappedOpenSSL:
            throw ExchangeFailure(
                .unsupportedFormat,
                "this format can only be imported, because one round of MD5 protects nothing; export as wrapped PKCS#8")
        case .pemSequence: throw Self.unfit
        }
    }

    /// One thing in a row of them: a private key is encrypted when there is a passphrase.
    private func block(_ item: OutgoingItem) throws(ExchangeFailure) -> Output {
        switch item {
        case .certificate(let certificate): return Self.publicOutput("CERTIFICATE", certificate.der)
        case .key(let key):
            guard key.key.part != .symmetric else { throw Self.unfit }
            let isWrapped = passphrase != nil && key.key.part == .private
            return try KeyWriter(key, isWrapped ? passphrase : nil).output(
                isWrapped ? .wrappedPKCS8 : .openSSL)
        }
    }

    private func pkcs12(_ items: [OutgoingItem]) throws(ExchangeFailure) -> [UInt8] {
        guard let passphrase else {
            throw ExchangeFailure(.passphraseRequired, "PKCS#12 requires a passphrase")
        }
        var file = PKCS12()
        for item in items {
            switch item {
            case .certificate(let certificate):
                file.certificates.append(PKCS12.Entry(certificate, friendlyName: certificate.subjectSummary))
            case .key(let key):
                guard key.key.part == .private else { throw Self.unfit }
                let certificate = items.lazy.compactMap(\.certificate).first { certificate in
                    certificate.publicKey.externalBytes == key.key.publicRepresentation
                }
                let name = key.label ?? certificate?.subjectSummary
                file.keys.append(PKCS12.Entry(try key.exported(isWrapped: true), friendlyName: name))
            }
        }
        return try ExchangeFailure.translating { () throws(ExchangeError) in
            try file.write(password: passphrase.bytes, mayBeEmpty: mayBeEmpty)
        }
    }

    private func only(_ items: [OutgoingItem]) throws(ExchangeFailure) -> OutgoingItem {
        guard items.count == 1, let only = items.first else { throw Self.unfit }
        return only
    }

    static func publicOutput(_ label: StaticString, _ bytes: [UInt8]) -> Output {
        Output(label: label, content: unsafe bytes.withUnsafeBytes { unsafe SecretValue(copying: $0) })
    }

    static var unfit: ExchangeFailure {
        ExchangeFailure(.unsupportedFormat, "the format does not support items of this kind, or holds only one")
    }
}

/// One thing that is to be written into a file.
package enum OutgoingItem {
    case certificate(Certificate)
    case key(any OutgoingKey)

    var certificate: Certificate? {
        if case .certificate(let certificate) = self { certificate } else { nil }
    }
}

/// A key that may leave, or not: its keeper decides when it is asked for its bytes.
package protocol OutgoingKey {
    /// Its kind and its public half.
    var key: CryptoKey { get }

    /// What it is called; nil where it has no name but its certificate's.
    var label: String? { get }

    /// The private key as files have it; `isWrapped` when it leaves under a passphrase.
    func exported(isWrapped: Bool) throws(ExchangeFailure) -> PrivateKey

    /// The bytes of a symmetric key.
    func exportedBytes() throws(ExchangeFailure) -> SecretValue
}

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
            throw ExchangeFailure(.passphraseRequired, "a wrapped key requires a passphrase that is not empty")
        }
        let file = try key.exported(isWrapped: true)
        let bytes = try ExchangeFailure.translating { () throws(ExchangeError) in try file.encrypted(passphrase.bytes) }
        return FileWriter.publicOutput("ENCRYPTED PRIVATE KEY", bytes)
    }

    /// Throws when the caller believes that the key will be encrypted.
    private func checkOpen() throws(ExchangeFailure) {
        guard passphrase == nil else {
            throw .parameter(
                "this format does not encrypt the key; to use a passphrase, export as wrapped PKCS#8 or PKCS#12")
        }
    }

    private static func output(_ label: StaticString, _ bytes: borrowing SecretBytes) -> FileWriter.Output {
        FileWriter.Output(label: label, content: unsafe bytes.withUnsafeBytes { unsafe SecretValue(copying: $0) })
    }
}

extension FileWriter.Output {
    fileprivate var text: SecretValue {
        unsafe content.withUnsafeBytes { bytes in
            let text = unsafe PEM.text(label, of: bytes)
            return unsafe text.withUnsafeBytes { unsafe SecretValue(copying: $0) }
        }
    }
}

extension SecretValue {
    /// One secret after the other.
    convenience init(joining parts: [SecretValue]) {
        unsafe self.init(count: parts.reduce(0) { $0 + $1.count }) { output in
            var position = 0
            for part in parts {
                let place = unsafe UnsafeMutableRawBufferPointer(rebasing: output.dropFirst(position))
                unsafe part.withUnsafeBytes { unsafe place.copyMemory(from: $0) }
                position += part.count
            }
        }
    }
}
