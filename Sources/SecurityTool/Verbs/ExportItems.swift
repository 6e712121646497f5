// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCertificates
internal import KeychainConnection
internal import KeychainEngine
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// `security export`.
enum ExportItems: SecurityVerb {
    static let name = "export"
    static let summary = "exports keys and certificates"
    static let usage = """
        [-k KEYCHAIN] [-t KIND] [-f FORMAT] [-p] [-w] [-P PASSPHRASE | --passphrase-fd N] [-o FILE]

        Writes certificates, private and public keys of a keychain, without -k of the default one, to standard output or to FILE,
        which only its owner can read. Keys that were imported with -x are not exported.

          -t KIND              certs, pubKeys, privKeys, identities or all; all if not given
          -f FORMAT            pemseq, x509, openssl, bsafe, pkcs7, pkcs8 or pkcs12; if not given, pkcs12 for identities, else pemseq
          -p                   as PEM, whatever the format
          -w                   encrypts private keys with the passphrase, as pkcs12 and pkcs8 always do
          -P PASSPHRASE        the passphrase; for pkcs12 -P '' is an empty one, with which anybody can read the file
          --passphrase-fd N    reads it from descriptor N to its end; one line feed at the end is dropped
          -o FILE              the file; a device or a pipe, such as /dev/stdout, is written to as it is
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "k:t:f:pwP:o:", valued: ["--passphrase-fd"]))
        try options.requireNoOperands()
        let keychain = try KeychainSearch.chosen(options.value("k"))
        let kind = try kind(options)
        let (formatName, format) = try format(options, kind)
        let items = try ExportedItems.all(kind, of: keychain)
        guard !items.isEmpty else { throw .notFound() }
        guard items.count == 1 || !ofOne.contains(formatName) else {
            throw .status(
                .unsupportedFormat, call: ExportedItems.call,
                why: "-f \(formatName) holds one item, and there are \(items.count); -f pemseq holds several")
        }
        // Only where it is written out: who gives nothing has none to give.
        let mayBeEmpty = format == .pkcs12 && options.value("P") != nil
        var passphrase: Passphrase?
        if options.has("w") || format == .pkcs12 || format == .wrappedPKCS8 {
            passphrase = try PassphraseInput.read(options, session, confirms: true)
            guard let given = passphrase, given.bytes.count > 0 || mayBeEmpty else {
                throw .status(
                    .passphraseRequired, call: ExportedItems.call,
                    why: "give the passphrase with -P or --passphrase-fd")
            }
        } else if options.value("P") != nil || options.value("--passphrase-fd") != nil {
            throw .usage("\(formatName) does not encrypt keys; -w encrypts them with the passphrase")
        }
        let writer = FileWriter(passphrase: passphrase, mayBeEmpty: mayBeEmpty)
        let content = try SecurityFailure.translating(exchange: ExportedItems.call) { () throws(ExchangeFailure) in
            try writer.write(items, as: format, isText: options.has("p"))
        }
        if let file = options.value("o") {
            try InputFile.write(content, to: file)
        } else {
            try SecurityFailure.translating("write") { () throws(CommandError) in
                try SecretOutput.write(content, to: STDOUT_FILENO)
            }
        }
    }

    private static func kind(_ options: SecurityOptions) throws(SecurityFailure) -> ExportedItems.Kind {
        guard let name = options.value("t") else { return .all }
        guard let kind = ExportedItems.Kind(rawValue: name) else {
            let known = ExportedItems.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("-t \(name) is not supported; the kinds are \(known)")
        }
        return kind
    }

    private static func format(
        _ options: SecurityOptions, _ kind: ExportedItems.Kind
    ) throws(SecurityFailure) -> (String, FileFormat) {
        let name = options.value("f") ?? (kind == .identities ? "pkcs12" : "pemseq")
        guard let found = formats.first(where: { $0.key == name }) else {
            throw .usage("-f \(name) is not supported; the formats are \(formats.map(\.key).joined(separator: ", "))")
        }
        return (name, found.value)
    }

    /// The formats of a single key or certificate.
    private static let ofOne = ["x509", "openssl", "bsafe", "pkcs8"]

    private static let formats: KeyValuePairs<String, FileFormat> = [
        "pemseq": .pemSequence, "x509": .certificate, "openssl": .openSSL, "bsafe": .bsafe, "pkcs7": .pkcs7,
        "pkcs8": .wrappedPKCS8, "pkcs12": .pkcs12,
    ]
}

/// The items of a keychain to write into a file.
enum ExportedItems {
    /// The values of `-t`.
    enum Kind: String, CaseIterable {
        case certs, pubKeys, privKeys, identities, all
    }

    static let call = "SecKeychainItemExport"

    static func all(_ kind: Kind, of keychain: ToolKeychain) throws(SecurityFailure) -> [OutgoingItem] {
        switch kind {
        case .certs: return try certificates(of: keychain).map { .certificate($0) }
        case .pubKeys: return try keys(of: keychain, .public).map { .key($0) }
        case .privKeys: return try keys(of: keychain, .private).map { .key($0) }
        case .all:
            let certificates = try certificates(of: keychain).map { OutgoingItem.certificate($0) }
            let privateKeys = try keys(of: keychain, .private).map { OutgoingItem.key($0) }
            return certificates + privateKeys + (try keys(of: keychain, .public).map { .key($0) })
        case .identities:
            let all = try certificates(of: keychain)
            let publicKeys = Set(all.map(\.publicKey.externalBytes))
            let keys = try keys(of: keychain, .private).filter { key in
                key.key.publicRepresentation.map(publicKeys.contains) ?? false
            }
            let privateKeys = Set(keys.compactMap(\.key.publicRepresentation))
            let certificates = all.filter { privateKeys.contains($0.publicKey.externalBytes) }
            return certificates.map { .certificate($0) } + keys.map { .key($0) }
        }
    }

    private static func certificates(of keychain: ToolKeychain) throws(SecurityFailure) -> [Certificate] {
        try CertificateSearch.all(in: [keychain]).map(\.certificate)
    }

    private static func keys(of keychain: ToolKeychain, _ part: KeyPart) throws(SecurityFailure) -> [KeychainKey] {
        var wanted = AttributeList()
        wanted[.keyClass] = .number(Int64(part.rawValue))
        let request = MatchRequest(
            predicate: .all(of: .stored(.key), wanted), returning: [.attributes, .reference], limit: .all)
        let found = try Unlocking.retrying(keychain, call) { () throws(CommandError) in
            try keychain.match(request, of: .programs)
        }
        var keys: [KeychainKey] = []
        for case .item(let item) in found {
            guard let key = KeychainKey(item, in: keychain) else {
                throw .status(.undecodable, call: call, why: "a key is of a kind that files cannot store")
            }
            keys.append(key)
        }
        return keys
    }
}

/// A key of a keychain on its way into a file, subject to its attributes (decision D41).
struct KeychainKey: OutgoingKey {
    let key: CryptoKey
    let label: String?
    private let item: FoundItem
    private let terms: KeyTerms
    private let keychain: ToolKeychain

    /// nil if the item's bytes are not a key.
    init?(_ item: FoundItem, in keychain: ToolKeychain) {
        guard let attributes = item.attributes, let part = KeychainKey.number(attributes[.keyClass]),
            let part = KeyPart(rawValue: part), let type = KeychainKey.number(attributes[.type]),
            let type = KeyType(rawValue: type), let key = KeychainKey.key(item, type, part)
        else { return nil }
        self.key = key
        self.item = item
        self.keychain = keychain
        terms = KeyTerms(attributes, item.accessControl)
        label = if case .string(let text)? = attributes[.label] { text } else { nil }
    }

    private static func key(_ item: FoundItem, _ type: KeyType, _ part: KeyPart) -> CryptoKey? {
        if let publicKey = item.keptKey?.publicKey {
            return (try? KeyOutline(privateKeyOf: publicKey, type)).map { CryptoKey(elsewhere: $0) }
        }
        return item.secret.flatMap { try? CryptoKey(type, part, ofItem: $0) }
    }

    private static func number(_ value: AttributeValue?) -> UInt32? {
        guard case .number(let number)? = value else { return nil }
        return UInt32(exactly: number)
    }

    func exported(isWrapped: Bool) throws(ExchangeFailure) -> PrivateKey {
        guard terms.isExtractable else {
            throw ExchangeFailure(.unextractableKey, "a key is not extractable, so it cannot leave the keychain")
        }
        guard isWrapped || !terms.isSensitive else {
            throw ExchangeFailure(
                .sensitiveKey,
                "a key is sensitive, so it leaves the keychain only encrypted: use -w, or -f pkcs8 or pkcs12")
        }
        return try PrivateKey.file(of: item.keptKey == nil ? key : released())
    }

    func exportedBytes() throws(ExchangeFailure) -> SecretValue {
        throw ExchangeFailure(.unsupportedFormat, "symmetric keys cannot be exported")
    }

    /// The key with its bytes, which the keychain reveals only for an export.
    private func released() throws(ExchangeFailure) -> CryptoKey {
        let request = UseKeyRequest(
            key: .stored(item.persistentID, publicKey: item.keptKey?.publicKey), task: .release)
        do throws(KeychainError) {
            let bytes = try keychain.session(of: .programs).useKey(request)
            return try translating { () throws(KeyError) in
                try unsafe bytes.withUnsafeBytes { (bytes) throws(KeyError) in
                    try unsafe CryptoKey(key.type, key.part, representation: bytes)
                }
            }
        } catch {
            guard error.reason != .unimplemented else {
                throw ExchangeFailure(.unextractableKey, "a key cannot be exported from where it is kept")
            }
            throw ExchangeFailure(error)
        }
    }
}
