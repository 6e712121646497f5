// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// `security import`.
enum ImportItems: SecurityVerb {
    static let name = "import"
    static let summary = "imports keys and certificates"
    static let usage = """
        FILE [-k KEYCHAIN] [-t KIND] [-f FORMAT] [-w] [-P PASSPHRASE | --passphrase-fd N] [-x] [-A] [-T PROGRAM]

        Imports the certificates and private keys of a file: PEM, DER, or PKCS#12. All of it is stored, or nothing; what is there
        already stays as it is. Without -k it goes into the default keychain.

          -t KIND              what has to be in it: cert, priv, agg
          -f FORMAT            what it has to be: openssl, bsafe, pkcs8, pkcs12, pemseq, x509
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
        try check(options)
        let keychain = try Keychains.target(options.value("k"))
        AccessLists.explain(options, session)
        let reader = ImportFile(
            passphrase: { () throws(SecurityFailure) in try Passphrase.read(options, session) },
            demandsWrapping: options.has("w"), format: options.value("f"))
        do throws(SecurityFailure) {
            let read = try reader.read(try InputFile.read(file))
            // A key's file is often all that says whose it is.
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let things = read.map { $0.named(name, among: read) }
            try check(things, options.value("t"))
            try ItemImport.store(
                things, in: keychain, isExtractable: !options.has("x"), call: "SecKeychainItemImport")
            for line in ItemImport.summary(things) { print(line) }
        } catch {
            // A Mac ends with 1 here, whatever the status.
            if case .status = error { throw .ending(error, code: 1) }
            throw error
        }
    }

    private static func check(_ options: SecurityOptions) throws(SecurityFailure) {
        if let kind = options.value("t"), !["cert", "priv", "agg"].contains(kind) {
            throw .usage("-t \(kind): cert, priv and agg are imported")
        }
        if let format = options.value("f"), !formats.contains(format) {
            throw .usage("-f \(format): \(formats.joined(separator: ", ")) are imported")
        }
    }

    private static func check(_ things: [ImportedThing], _ kind: String?) throws(SecurityFailure) {
        let isRight =
            switch kind {
            case "cert": things.allSatisfy { !$0.isKey }
            case "priv": things.allSatisfy(\.isKey)
            default: true
            }
        guard isRight else { throw ImportFile.failure(.undecodable, "the file holds something else than -t says") }
    }

    private static let formats = ["openssl", "bsafe", "pkcs8", "pkcs12", "pemseq", "x509"]
}
