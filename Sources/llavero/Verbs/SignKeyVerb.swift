// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainTools

/// `llavero sign-key`: makes a key to sign programs with.
enum SignKeyVerb: Verb {
    static let name = "sign-key"
    static let summary = "makes a key to sign programs with"
    static let help = """
        usage: llavero sign-key --prefix TEAM. [--prefix …] FILE.pem

        Makes an Ed25519 key. The private half goes into FILE.pem, which must not be there yet; the public one comes out as
        the file that an administrator puts into /etc/llavero/signers.d to believe the key.

          --prefix TEAM.   what all names begin with that the key may grant; ends in a dot, may be there several times
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, repeated: ["--prefix"])
        let path = try options.operand("the file for the private key")
        let prefixes = options.values("--prefix")
        guard !prefixes.isEmpty else { throw .usage("--prefix is missing: without one the key grants nothing") }
        guard prefixes.allSatisfy(ProgramSigner.isPrefix) else {
            throw .usage("a prefix ends in a dot, and has something before it")
        }
        let publicKey: [UInt8]
        let text: SecretBytes
        do throws(CryptoError) {
            let key = try Ed25519.makePrivateKey()
            publicKey = try Ed25519.publicKey(of: key)
            text = SigningKey.text(of: key)
        } catch { throw .failure("no key can be made: \(error)") }
        let file = try NewFile(for: path)
        try unsafe text.withUnsafeBytes { (bytes) throws(CommandError) in try unsafe file.write(bytes) }
        try file.takeEmptyPlace()
        print(signer(publicKey, prefixes))
    }

    /// The signer file.
    private static func signer(_ publicKey: [UInt8], _ prefixes: [String]) -> String {
        let list = prefixes.map { "        <string>\(escaped($0))</string>" }.joined(separator: "\n")
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict>
                <key>key</key>
                <data>\(KeyText.text(of: publicKey))</data>
                <key>prefixes</key>
                <array>
            \(list)
                </array>
            </dict>
            </plist>
            """
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for letter in text.unicodeScalars {
            switch letter {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.unicodeScalars.append(letter)
            }
        }
        return result
    }
}
