// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// `security export`.
enum ExportItems: SecurityVerb {
    static let name = "export"
    static let summary = "exports keys and certificates"
    static let usage = """
        [-k KEYCHAIN] [-t KIND] [-f FORMAT] [-p] [-w] [-P PASSPHRASE | --passphrase-fd N] [-o FILE]

        Writes certificates and private keys of a keychain, of the default one without -k, to standard output or to FILE, which its
        owner alone can read. Keys that were imported with -x stay where they are.

          -t KIND              certs, privKeys, identities or all; all if not given
          -f FORMAT            pemseq, x509, pkcs8 or pkcs12; pkcs12 for identities, else pemseq, if not given
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
        let kind = options.value("t") ?? "all"
        guard ["certs", "privKeys", "identities", "all"].contains(kind) else {
            throw .usage("-t \(kind): certs, privKeys, identities and all are exported")
        }
        let format = options.value("f") ?? (kind == "identities" ? "pkcs12" : "pemseq")
        guard ["pemseq", "x509", "pkcs8", "pkcs12"].contains(format) else {
            throw .usage("-f \(format): pemseq, x509, pkcs8 and pkcs12 are written")
        }
        let items = try ExportedItems(kind, of: keychain)
        guard !items.isEmpty else { throw .notFound() }
        var passphrase: SecretValue?
        if options.has("w") || format == "pkcs12" || format == "pkcs8" {
            passphrase = try Passphrase.read(options, session, confirms: true)
            guard let given = passphrase, given.count > 0 else {
                throw .status(
                    .passphraseRequired, call: "SecKeychainItemExport",
                    why: "-P or --passphrase-fd gives the passphrase")
            }
        } else if options.value("P") != nil || options.value("--passphrase-fd") != nil {
            throw .usage("\(format) leaves keys open; with -w they are encrypted under the passphrase")
        }
        let content = try items.file(format, isText: options.has("p"), passphrase)
        if let file = options.value("o") {
            try InputFile.write(content, to: file)
        } else {
            try SecurityFailure.translating("write") { () throws(CommandError) in
                try SecretOutput.write(content, to: STDOUT_FILENO)
            }
        }
    }
}
