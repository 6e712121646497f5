// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainExchange
internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// `security export`.
enum ExportItems: SecurityVerb {
    static let name = "export"
    static let summary = "exports keys and certificates"
    static let usage = """
        [-k KEYCHAIN] [-t KIND] [-f FORMAT] [-p] [-w] [-P PASSPHRASE | --passphrase-fd N] [-o FILE]

        Writes certificates, private and public keys of a keychain, of the default one without -k, to standard output or to FILE,
        which its owner alone can read. Keys that were imported with -x stay where they are.

          -t KIND              certs, pubKeys, privKeys, identities or all; all if not given
          -f FORMAT            pemseq, x509, openssl, bsafe, pkcs7, pkcs8 or pkcs12; pkcs12 for identities, else pemseq, if not given
          -p                   as PEM, whatever the format
          -w                   private keys are encrypted under the passphrase, as in pkcs12 and pkcs8 they always are
          -P PASSPHRASE        the passphrase
          --passphrase-fd N    reads it from descriptor N to its end; one line feed at the end does not count
          -o FILE              the file
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(
            words, SecurityOptions.Allowed(letters: "k:t:f:pwP:o:", valued: ["--passphrase-fd"]))
        try options.requireNoOperands()
        let keychain = try Keychains.chosen(options.value("k"))
        let kind = try kind(options)
        let (formatName, format) = try format(options, kind)
        let items = try ExportedItems.all(kind, of: keychain)
        guard !items.isEmpty else { throw .notFound() }
        var passphrase: Passphrase?
        if options.has("w") || format == .pkcs12 || format == .wrappedPKCS8 {
            passphrase = try PassphraseInput.read(options, session, confirms: true)
            guard let given = passphrase, given.bytes.count > 0 else {
                throw .status(
                    .passphraseRequired, call: ExportedItems.call,
                    why: "-P or --passphrase-fd gives the passphrase")
            }
        } else if options.value("P") != nil || options.value("--passphrase-fd") != nil {
            throw .usage("\(formatName) leaves keys open; with -w they are encrypted under the passphrase")
        }
        let writer = FileWriter(passphrase: passphrase)
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
            throw .usage("-t \(name): \(known) are exported")
        }
        return kind
    }

    private static func format(
        _ options: SecurityOptions, _ kind: ExportedItems.Kind
    ) throws(SecurityFailure) -> (String, FileFormat) {
        let name = options.value("f") ?? (kind == .identities ? "pkcs12" : "pemseq")
        guard let found = formats.first(where: { $0.key == name }) else {
            throw .usage("-f \(name): \(formats.map(\.key).joined(separator: ", ")) are written")
        }
        return (name, found.value)
    }

    private static let formats: KeyValuePairs<String, FileFormat> = [
        "pemseq": .pemSequence, "x509": .certificate, "openssl": .openSSL, "bsafe": .bsafe, "pkcs7": .pkcs7,
        "pkcs8": .wrappedPKCS8, "pkcs12": .pkcs12,
    ]
}
