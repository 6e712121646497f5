// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainExchange
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// `llavero sign-key`: makes a key to sign programs with.
enum SignKeyVerb: Verb {
    static let name = "sign-key"
    static let summary = "makes a key to sign programs with"
    static let help = """
        usage: llavero sign-key --prefix TEAM. [--prefix …] FILE.pem

        Makes an Ed25519 key. The private half is written to FILE.pem, which must not exist yet; the public half is printed as the
        signer file that an administrator puts into /etc/llavero/signers.d to trust the key.

          --prefix TEAM.   the prefix of all names that the key may grant; ends in a dot, may be given several times
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, repeated: ["--prefix"])
        let path = try options.operand("FILE.pem")
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
        } catch { throw .failure("the key cannot be made: \(error)") }
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
                <data>\(Base64.text(of: publicKey))</data>
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

/// An Ed25519 key in PEM: PKCS#8 or a SubjectPublicKeyInfo.
enum SigningKey {
    /// The private key in a file that only its owner can read.
    static func read(_ path: String) throws(CommandError) -> SecretBytes {
        let file = try OpenFile(path)
        guard file.mode & 0o077 == 0, file.owner == geteuid() || geteuid() == 0 else {
            throw .failure(
                "other users can read or own \(path), so the key may be known to them; key files need mode 600 and have to be owned by you"
            )
        }
        let block = try block(file)
        guard block.label == "PRIVATE KEY" else {
            throw .failure("\(path) is not a private key in PEM, or it is encrypted: decrypt it first")
        }
        let key: PrivateKey
        do throws(ExchangeError) {
            key = try unsafe block.content.withUnsafeBytes { (bytes) throws(ExchangeError) in
                try unsafe PrivateKey(der: bytes)
            }
        } catch { throw .failure("the private key in \(path) cannot be read") }
        return try unsafe key.pkcs8.withUnsafeBytes { (bytes) throws(CommandError) in
            guard unsafe bytes.count == privateHead.count + Ed25519.keySize && bytes.starts(with: privateHead) else {
                throw .failure("\(path) is not an Ed25519 key; `llavero sign-key` makes one")
            }
            return unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[privateHead.count...]))
        }
    }

    /// The public key in a file.
    static func readPublic(_ path: String) throws(CommandError) -> [UInt8] {
        let block = try block(OpenFile(path))
        let bytes = unsafe block.content.withUnsafeBytes { unsafe Array($0) }
        guard block.label == "PUBLIC KEY", bytes.count == publicHead.count + Ed25519.keySize,
            bytes.starts(with: publicHead)
        else { throw .failure("\(path) is not a public Ed25519 key in PEM") }
        return Array(bytes.dropFirst(publicHead.count))
    }

    /// A private key in the form of a file.
    static func text(of privateKey: borrowing SecretBytes) -> SecretBytes {
        let whole = unsafe SecretBytes(count: privateHead.count + privateKey.count) { output in
            unsafe output.copyBytes(from: privateHead)
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: output[privateHead.count...])
            unsafe privateKey.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
        }
        return unsafe whole.withUnsafeBytes { unsafe PEM.text("PRIVATE KEY", of: $0) }
    }

    private static func block(_ file: OpenFile) throws(CommandError) -> PEMBlock {
        let content = try file.content(limit: 64 << 10)
        do throws(ExchangeError) {
            let blocks = try unsafe content.withUnsafeBytes { (text) throws(ExchangeError) in
                try unsafe PEM.blocks(in: text)
            }
            guard let block = blocks.first, blocks.count == 1 else { throw .undecodable }
            return block
        } catch { throw .failure("\(file.path) does not have exactly one key in PEM") }
    }

    // RFC 8410: version 0, the algorithm, and 32 bytes in two OCTET STRINGs; the algorithm, and 32 bytes in a BIT STRING.
    private static let privateHead: [UInt8] = [
        0x30, 0x2E, 2, 1, 0, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 4, 0x22, 4, 0x20,
    ]
    private static let publicHead: [UInt8] = [0x30, 0x2A, 0x30, 5, 6, 3, 0x2B, 0x65, 0x70, 3, 0x21, 0]
}
