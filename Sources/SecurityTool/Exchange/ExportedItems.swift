// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// What a keychain has to write into a file.
struct ExportedItems {
    private var certificates: [Certificate] = []
    private var keys: [(key: PrivateKey, label: String?)] = []

    var isEmpty: Bool { certificates.isEmpty && keys.isEmpty }

    init(_ kind: String, of keychain: ToolKeychain) throws(SecurityFailure) {
        if kind != "certs" { keys = try ExportedItems.keys(of: keychain) }
        if kind != "privKeys" {
            certificates = try CertificateSearch.all(in: [keychain]).map(\.certificate)
        }
        if kind == "identities" {
            let (all, own) = (certificates, keys)
            certificates = all.filter { one in
                own.contains { $0.key.publicKey.externalBytes == one.publicKey.externalBytes }
            }
            keys = own.filter { one in
                all.contains { $0.publicKey.externalBytes == one.key.publicKey.externalBytes }
            }
        }
    }

    private static func keys(of keychain: ToolKeychain) throws(SecurityFailure) -> [(PrivateKey, String?)] {
        let call = "SecKeychainItemExport"
        var wanted = AttributeList()
        wanted[.keyClass] = .number(1)
        let request = MatchRequest(
            predicate: .all(of: .stored(.key), wanted), returning: [.attributes, .reference], limit: .all)
        let found = try Unlocking.retrying(keychain, call) { () throws(CommandError) in
            try keychain.match(request, of: .programs)
        }
        var keys: [(PrivateKey, String?)] = []
        for case .item(let item) in found {
            guard item.keptKey == nil, let secret = item.secret, let type = item.attributes?[.type],
                case .number(let number) = type, let type = UInt32(exactly: number).flatMap(KeyType.init(rawValue:))
            else {
                throw .status(.dataNotAvailable, call: call, why: "a key is one that does not leave the keychain")
            }
            let key = try? CryptoKey(type, .private, ofItem: secret)
            guard let key, let file = PrivateKey.file(of: key) else {
                throw .status(.undecodable, call: call, why: "a key is of a kind that files do not have")
            }
            var label: String?
            if case .string(let text)? = item.attributes?[.label] { label = text }
            keys.append((file, label))
        }
        return keys
    }

    /// The bytes of a file; private keys in it are encrypted where there is a passphrase.
    func file(
        _ format: String, isText: Bool, _ passphrase: SecretValue?
    ) throws(SecurityFailure) -> SecretValue {
        var parts: [SecretValue] = []
        switch format {
        case "pkcs12":
            let file = try pkcs12(passphrase)
            return isText ? ExportedItems.text("PKCS12", SecretValue(copying: file)) : SecretValue(copying: file)
        case "x509", "pkcs8":
            guard certificates.count + keys.count == 1, keys.isEmpty == (format == "x509") else {
                throw .status(
                    .unsupportedFormat, call: "SecKeychainItemExport",
                    why: "\(format) holds one \(format == "x509" ? "certificate" : "key"), and there are other things")
            }
            if let one = certificates.first {
                let der = SecretValue(copying: one.der)
                return isText ? ExportedItems.text("CERTIFICATE", der) : der
            }
            guard let one = keys.first else { return SecretValue(copying: []) }
            let (label, content) = try ExportedItems.content(one.key, passphrase)
            return isText ? ExportedItems.text(label, content) : content
        default:
            for one in certificates { parts.append(ExportedItems.text("CERTIFICATE", SecretValue(copying: one.der))) }
            for one in keys {
                let (label, content) = try ExportedItems.content(one.key, passphrase)
                parts.append(ExportedItems.text(label, content))
            }
            return SecretText.joined(parts)
        }
    }

    private static func content(
        _ key: PrivateKey, _ passphrase: SecretValue?
    ) throws(SecurityFailure) -> (StaticString, SecretValue) {
        guard let passphrase else { return ("PRIVATE KEY", SecretValue(copying: key.pkcs8)) }
        let password = unsafe passphrase.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
        let file = try ImportFile.translating { () throws(ExchangeError) in try key.encrypted(password) }
        return ("ENCRYPTED PRIVATE KEY", SecretValue(copying: file))
    }

    private func pkcs12(_ passphrase: SecretValue?) throws(SecurityFailure) -> [UInt8] {
        var file = PKCS12()
        file.certificates = certificates.map { PKCS12.Entry($0, friendlyName: $0.subjectSummary) }
        file.keys = keys.map { PKCS12.Entry($0.key, friendlyName: $0.label) }
        let given = passphrase ?? SecretValue(copying: [])
        let password = unsafe given.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
        let whole = file
        return try ImportFile.translating { () throws(ExchangeError) in try whole.write(password: password) }
    }

    private static func text(_ label: StaticString, _ content: SecretValue) -> SecretValue {
        unsafe content.withUnsafeBytes { SecretValue(copying: unsafe PEM.text(label, of: $0)) }
    }
}
