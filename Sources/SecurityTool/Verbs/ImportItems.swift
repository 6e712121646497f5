// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainEngine
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// `security import`.
enum ImportItems: SecurityVerb {
    static let name = "import"
    static let summary = "imports keys and certificates"
    static let usage = """
        FILE [-k KEYCHAIN] [-t KIND] [-f FORMAT] [-w] [-P PASSPHRASE | --passphrase-fd N] [-x] [-A] [-T PROGRAM]

        Imports the certificates and keys of a file: PEM, DER, PKCS#7, PKCS#12, or the bytes of an AES key. All of it is stored, or
        nothing; existing items stay as they are. Without -k it goes into the default keychain.

          -t KIND              the required contents: cert, pub, priv, session, agg; session for an AES key's bytes
          -f FORMAT            the required format: openssl, bsafe, raw, pkcs7, pkcs8, pkcs12, pemseq, x509
          -w                   requires private keys to be encrypted
          -P PASSPHRASE        the passphrase of the file
          --passphrase-fd N    reads it from descriptor N to its end; one line feed at the end is dropped
          -x                   makes private keys impossible to export
          -A, -T PROGRAM       accepted without effect; items have no list of applications here
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        // The file comes first, as on a Mac, and options after it.
        let file = words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
        let options = try SecurityOptions(
            file == nil ? words : words.dropFirst(),
            SecurityOptions.Allowed(
                letters: "k:t:f:wP:xAT:a:", repeated: ["T"], valued: ["--passphrase-fd"]))
        guard options.value("a") == nil else {
            throw .usage("-a is not supported: keys have no additional attributes here")
        }
        let files = [file].compactMap(\.self) + options.operands
        guard let file = files.first, files.count == 1 else {
            let isBehind = file == nil && files.count > 1
            throw .usage(
                files.isEmpty
                    ? "a file is missing"
                    : isBehind ? "the file comes first, and the options behind it" : "only one file is accepted")
        }
        let expectation = try expectation(options)
        let keychain = try KeychainSearch.target(options.value("k"))
        AccessLists.explain(options, session)
        let reader = FileImport(
            expectation: expectation,
            passphrase: { () throws(SecurityFailure) in try PassphraseInput.read(options, session) })
        do throws(SecurityFailure) {
            let things = ImportedThing.all(of: try reader.read(file))
            try ItemImport.store(
                things, in: keychain, isExtractable: !options.has("x"), call: "SecKeychainItemImport")
            for line in ItemImport.summary(things) { print(line) }
        } catch {
            // A Mac ends with 1 here, whatever the status.
            if case .status = error { throw .ending(error, code: 1) }
            throw error
        }
    }

    private static func expectation(_ options: SecurityOptions) throws(SecurityFailure) -> FileExpectation {
        let type = try options.value("t").map { (name) throws(SecurityFailure) in
            try named(name, "-t", types)
        }
        let format = try options.value("f").map { (name) throws(SecurityFailure) in
            try named(name, "-f", formats)
        }
        return FileExpectation(format, type, demandsWrapping: options.has("w"))
    }

    private static func named<Value>(
        _ name: String, _ option: String, _ known: KeyValuePairs<String, Value>
    ) throws(SecurityFailure) -> Value {
        guard let found = known.first(where: { $0.key == name }) else {
            throw .usage(
                "\(option) \(name) is not supported; the values are \(known.map(\.key).joined(separator: ", "))")
        }
        return found.value
    }

    private static let types: KeyValuePairs<String, FileItemType> = [
        "cert": .certificate, "pub": .publicKey, "priv": .privateKey, "session": .symmetricKey, "agg": .several,
    ]
    private static let formats: KeyValuePairs<String, Set<FileFormat>> = [
        // Includes everything that the openssl command writes.
        "openssl": [.openSSL, .wrappedOpenSSL, .wrappedPKCS8, .certificate], "bsafe": [.bsafe], "raw": [.rawKey],
        "pkcs7": [.pkcs7], "pkcs8": [.bsafe, .wrappedPKCS8], "pkcs12": [.pkcs12], "pemseq": [.pemSequence],
        "x509": [.certificate],
    ]
}

/// Reads the keys and certificates of a file.
struct FileImport {
    let expectation: FileExpectation
    /// Asked for when the file turns out to be encrypted; nil without one.
    let passphrase: () throws(SecurityFailure) -> Passphrase?

    /// For files of certificates, which are never encrypted.
    static var unencrypted: FileImport {
        FileImport(expectation: FileExpectation(nil, nil), passphrase: { () throws(SecurityFailure) in nil })
    }

    func read(_ path: String) throws(SecurityFailure) -> FileContents {
        let bytes = try InputFile.read(path)
        do throws(ExchangeFailure) { return try contents(bytes, nil) } catch {
            guard error.kind == .passphraseRequired, let passphrase = try passphrase() else {
                throw SecurityFailure(error, in: FileImport.call)
            }
            return try SecurityFailure.translating(exchange: FileImport.call) { () throws(ExchangeFailure) in
                try contents(bytes, passphrase)
            }
        }
    }

    private func contents(
        _ bytes: SecretValue, _ passphrase: Passphrase?
    ) throws(ExchangeFailure) -> FileContents {
        guard bytes.count > 0 else { throw ExchangeFailure(.unknownFormat, "the file is empty") }
        let reader = FileReader(expectation, passphrase: passphrase)
        return try unsafe bytes.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
            try unsafe reader.read(bytes, isText: false)
        }
    }

    static let call = "SecKeychainItemImport"
}

/// A certificate or key of a file, ready to become an item.
enum ImportedThing {
    case certificate(Certificate, label: String?)
    case key(CryptoKey, label: String)

    /// The contents of a file; an identity becomes its certificate and its key.
    static func all(of file: FileContents) -> [ImportedThing] {
        file.items.flatMap { item -> [ImportedThing] in
            switch item {
            case .certificate(let certificate, let label): [.certificate(certificate, label: label)]
            case .key(let key, let label): [.key(key, label: label ?? name(of: key, in: file))]
            case .identity(let certificate, let key, let label):
                [.certificate(certificate, label: label), .key(key, label: label ?? name(of: key, in: file))]
            }
        }
    }

    /// The name of a key without one in the file: that of its certificate in the file, else as on a Mac.
    private static func name(of key: CryptoKey, in file: FileContents) -> String {
        for item in file.items {
            switch item {
            case .certificate(let certificate, let label), .identity(let certificate, _, let label):
                guard certificate.publicKey.externalBytes == key.publicRepresentation else { continue }
                if let name = label ?? certificate.subjectSummary { return name }
            case .key: continue
            }
        }
        switch key.part {
        case .private: return "Imported Private Key"
        case .public: return "Imported Public Key"
        case .symmetric: return "Imported Session Key"
        }
    }

    /// The hash of the public key, which a key and its certificate share.
    var publicKey: [UInt8]? {
        switch self {
        case .certificate(let certificate, _): certificate.publicKey.externalBytes
        case .key(let key, _): key.publicRepresentation
        }
    }

    var isKey: Bool { if case .key = self { true } else { false } }
    var isPrivateKey: Bool { if case .key(let key, _) = self { key.part == .private } else { false } }

    /// The item; private and symmetric keys stay in the keychain unless `isExtractable`.
    func addRequest(isExtractable: Bool) throws(KeychainError) -> AddRequest {
        switch self {
        case .certificate(let certificate, let label):
            var attributes = certificate.itemAttributes
            if let label = label ?? certificate.subjectSummary { attributes[.label] = .string(label) }
            return request(.certificate, attributes, SecretValue(copying: certificate.der))
        case .key(let key, let label):
            return try translating { () throws(KeyError) in
                let isOpen = isExtractable || key.part == .public
                var attributes = try key.itemAttributes(.none, isOpen: isOpen)
                attributes[.label] = .string(label)
                return request(.key, attributes, SecretValue(copying: try key.representation()))
            }
        }
    }

    private func request(_ itemClass: ItemClass, _ attributes: AttributeList, _ secret: SecretValue) -> AddRequest {
        AddRequest(
            itemClass: itemClass, attributes: attributes, group: .everyGroupOfCaller,
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false, secret: secret,
            returning: .persistentReference, origin: .caller)
    }
}

/// Stores the contents of a file in a keychain: all of it, or nothing.
enum ItemImport {
    /// Existing items stay as they are; if all exist already, it throws a duplicate error.
    static func store(
        _ things: [ImportedThing], in keychain: ToolKeychain, isExtractable: Bool, call: String
    ) throws(SecurityFailure) {
        var added: [FoundItem] = []
        for thing in things.filter({ !$0.isKey }) + things.filter(\.isKey) {
            do throws(SecurityFailure) {
                let request = try SecurityFailure.translating(keychain: call) { () throws(KeychainError) in
                    try thing.addRequest(isExtractable: isExtractable)
                }
                let item = try Unlocking.retrying(keychain, call) { () throws(CommandError) in
                    try keychain.add(request, of: .programs)
                }
                if let item { added.append(item) }
            } catch {
                if case .status(.duplicateItem, _, _) = error { continue }
                for item in added {
                    let request = DeleteRequest(
                        predicate: .only(.item(item.itemClass, item.persistentID)), tombstones: .whenSynchronizable)
                    try? keychain.delete(request, of: .programs)
                }
                throw error
            }
        }
        guard !added.isEmpty else { throw .status(.duplicateItem, call: call, why: nil) }
    }

    /// The summary: identities, then keys and certificates that are not part of one.
    static func summary(_ things: [ImportedThing]) -> [String] {
        let keys = things.filter(\.isKey)
        let certificates = things.filter { !$0.isKey }
        let identities = keys.count { key in
            key.isPrivateKey && certificates.contains { $0.publicKey == key.publicKey }
        }
        let paired = certificates.count { one in
            keys.contains { $0.isPrivateKey && $0.publicKey == one.publicKey }
        }
        return [
            (identities, "identity", "identities"), (keys.count - identities, "key", "keys"),
            (certificates.count - paired, "certificate", "certificates"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2) imported." }
    }
}
