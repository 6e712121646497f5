// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange
internal import KeychainModel
internal import KeychainTools

/// `security import`.
enum ImportItems: SecurityVerb {
    static let name = "import"
    static let summary = "imports keys and certificates"
    static let usage = """
        FILE [-k KEYCHAIN] [-t KIND] [-f FORMAT] [-w] [-P PASSPHRASE | --passphrase-fd N] [-x] [-A] [-T PROGRAM]

        Imports the certificates and keys of a file: PEM, DER, PKCS#7, PKCS#12, or the bytes of an AES key. All of it is stored, or
        nothing; what is there already stays as it is. Without -k it goes into the default keychain.

          -t KIND              what has to be in it: cert, pub, priv, session, agg; session for an AES key's bytes
          -f FORMAT            what it has to be: openssl, bsafe, raw, pkcs7, pkcs8, pkcs12, pemseq, x509
          -w                   private keys have to be encrypted
          -P PASSPHRASE        the passphrase of the file
          --passphrase-fd N    reads it from descriptor N to its end; one line feed at the end does not count
          -x                   private keys cannot be exported again
          -A, -T PROGRAM       accepted; items have no list of applications here
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        // The file comes first, as on a Mac, and options after it.
        let file = words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
        let options = try SecurityOptions(
            file == nil ? words : words.dropFirst(),
            SecurityOptions.Allowed(
                letters: "k:t:f:wP:xAT:a:", repeated: ["T"], valued: ["--passphrase-fd"]))
        guard options.value("a") == nil else { throw .usage("-a: items of keys have no attributes of other names") }
        let files = [file].compactMap(\.self) + options.operands
        guard let file = files.first, files.count == 1 else {
            throw .usage(files.isEmpty ? "a file is missing" : "one file at a time")
        }
        let expectation = try expectation(options)
        let keychain = try Keychains.target(options.value("k"))
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
            throw .usage("\(option) \(name): \(known.map(\.key).joined(separator: ", ")) are imported")
        }
        return found.value
    }

    private static let types: KeyValuePairs<String, FileItemType> = [
        "cert": .certificate, "pub": .publicKey, "priv": .privateKey, "session": .symmetricKey, "agg": .several,
    ]
    private static let formats: KeyValuePairs<String, Set<FileFormat>> = [
        // All that the command writes goes by its name.
        "openssl": [.openSSL, .wrappedOpenSSL, .wrappedPKCS8, .certificate], "bsafe": [.bsafe], "raw": [.rawKey],
        "pkcs7": [.pkcs7], "pkcs8": [.bsafe, .wrappedPKCS8], "pkcs12": [.pkcs12], "pemseq": [.pemSequence],
        "x509": [.certificate],
    ]
}
