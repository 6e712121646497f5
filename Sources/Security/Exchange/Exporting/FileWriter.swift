// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// Writes keys and certificates into a file.
struct FileWriter {
    /// What is written, with the words that stand around it in PEM.
    struct Output {
        let label: StaticString
        let content: SecretValue
    }

    let passphrase: Passphrase?

    /// The file; `isText` for PEM, which a sequence always is.
    func write(
        _ items: [ExportedItem], as given: SecExternalFormat, isText: Bool
    ) throws(ExchangeFailure) -> SecretValue {
        let format = given == .formatUnknown ? Self.usualFormat(of: items) : given
        if format == .formatPEMSequence {
            var blocks: [SecretValue] = []
            for item in items { blocks.append(try block(item).text) }
            return SecretValue(joining: blocks)
        }
        let output = try output(items, format)
        guard isText else { return output.content }
        guard format != .formatRawKey else { throw ExchangeFailure(.unsupportedFormat, "there is no PEM of raw keys") }
        return output.text
    }

    private static func usualFormat(of items: [ExportedItem]) -> SecExternalFormat {
        guard items.count == 1, let only = items.first else { return .formatPEMSequence }
        switch only {
        case .certificate: return .formatX509Cert
        case .key(let key): return key.key.part == .symmetric ? .formatRawKey : .formatOpenSSL
        }
    }

    private func output(_ items: [ExportedItem], _ format: SecExternalFormat) throws(ExchangeFailure) -> Output {
        switch format {
        case .formatX509Cert:
            guard let certificate = try only(items).certificate else { throw Self.unfit }
            return Self.publicOutput("CERTIFICATE", certificate.der)
        case .formatPKCS7:
            let certificates = items.compactMap(\.certificate)
            guard certificates.count == items.count else { throw Self.unfit }
            return Self.publicOutput("PKCS7", CertificateBundle.file(of: certificates))
        case .formatPKCS12: return Self.publicOutput("PKCS12", try pkcs12(items))
        case .formatOpenSSL, .formatBSAFE, .formatWrappedPKCS8, .formatRawKey:
            guard case .key(let key) = try only(items) else { throw Self.unfit }
            return try KeyWriter(key, passphrase).output(format)
        case .formatWrappedOpenSSL:
            throw ExchangeFailure(
                .unsupportedFormat,
                "this is read and not written: one round of MD5 protects nothing; use wrapped PKCS#8")
        case .formatUnknown, .formatPEMSequence, .formatSSH, .formatSSHv2, .formatWrappedSSH, .formatWrappedLSH,
            .formatNetscapeCertSequence:
            throw ExchangeFailure(.unsupportedFormat, "this format is not written")
        }
    }

    /// One thing in a row of them: a private key is encrypted when there is a passphrase.
    private func block(_ item: ExportedItem) throws(ExchangeFailure) -> Output {
        switch item {
        case .certificate(let certificate): return Self.publicOutput("CERTIFICATE", certificate.der)
        case .key(let key):
            guard key.key.part != .symmetric else { throw Self.unfit }
            let isWrapped = passphrase != nil && key.key.part == .private
            return try KeyWriter(key, isWrapped ? passphrase : nil).output(
                isWrapped ? .formatWrappedPKCS8 : .formatOpenSSL)
        }
    }

    private func pkcs12(_ items: [ExportedItem]) throws(ExchangeFailure) -> [UInt8] {
        guard let passphrase else {
            throw ExchangeFailure(.passphraseRequired, "PKCS#12 is written under a passphrase alone")
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
                let name = certificate?.subjectSummary
                file.keys.append(PKCS12.Entry(try key.exported(isWrapped: true), friendlyName: name))
            }
        }
        return try ExchangeCall.exchanging { () throws(ExchangeError) in
            try file.write(password: passphrase.bytes)
        }
    }

    private func only(_ items: [ExportedItem]) throws(ExchangeFailure) -> ExportedItem {
        guard items.count == 1, let only = items.first else { throw Self.unfit }
        return only
    }

    static func publicOutput(_ label: StaticString, _ bytes: [UInt8]) -> Output {
        Output(label: label, content: unsafe bytes.withUnsafeBytes { unsafe SecretValue(copying: $0) })
    }

    static var unfit: ExchangeFailure {
        ExchangeFailure(.unsupportedFormat, "the format does not hold items of this kind, or holds one only")
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
