// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
internal import KeychainModel

/// A wallet of KWallet: digests of the names unencrypted, then everything encrypted under a password.
internal struct WalletFile {
    private let bytes: ImportedBytes
    /// Where the encrypted part begins.
    private let sealed: Range<Int>
    private let hasSalt: Bool
    private let chaining: WalletCipher.Chaining

    internal static func isOne(_ bytes: ImportedBytes) -> Bool { bytes.has(magic, at: 0) }

    /// Reads all entries; without a password only what none protects.
    internal static func read(
        _ bytes: ImportedBytes, _ file: String, _ companions: WalletCompanions, _ password: Passcode?,
        _ options: ImportOptions
    ) throws(ImportError) -> ImportReport {
        let wallet = try WalletFile(bytes)
        let attributes = try WalletAttributes(companions.attributes)
        let text: SecretBytes
        if let password {
            text = try wallet.text(password.bytes, companions.salt)
        } else {
            // KWallet takes an empty one, and then never asks.
            let nothing = unsafe SecretBytes(count: 0) { _ in }
            do throws(ImportError) { text = try wallet.text(nothing, companions.salt) } catch {
                throw error == .wrongPassword ? .passwordNeeded : error
            }
        }
        return try WalletEntries.read(ImportedBytes(text), file, attributes, options)
    }

    /// What is not encrypted, and says how the rest is.
    private init(_ bytes: ImportedBytes) throws(ImportError) {
        guard WalletFile.isOne(bytes) else { throw .notThisFormat }
        var reader = BinaryReader(bytes, at: WalletFile.magic.utf8.count)
        let version = (try reader.byte(), try reader.byte(), try reader.byte(), try reader.byte())
        guard version.2 != WalletFile.gpg else { throw .wallet(.gpg) }
        // The fourth byte is the digest that the second one stands for.
        guard version.0 == 0, version.1 <= 1, version.3 == (version.1 == 1 ? 2 : 0) else { throw .unknownVersion }
        switch version.2 {
        case 0: chaining = .none
        case 3: chaining = .cbc
        default: throw .unknownVersion
        }
        hasSalt = version.1 == 1
        do throws(ImportError) {
            for _ in 0..<(try reader.number()) {
                try reader.skip(WalletFile.nameDigest)
                try reader.skip(WalletFile.nameDigest * Int(try reader.number()))
            }
        } catch { throw .wallet(.names) }
        sealed = reader.position..<bytes.count
        guard sealed.count % WalletCipher.blockSize == 0 else { throw .wallet(.blocks) }
        self.bytes = bytes
    }

    private func text(_ password: borrowing SecretBytes, _ salt: ImportedBytes?) throws(ImportError) -> SecretBytes {
        guard WalletCipher.isAvailable else { throw .wallet(.noBlowfish) }
        if hasSalt {
            guard let salt else { throw .wallet(.noSalt) }
            guard salt.count == WalletCipher.saltSize else { throw .wallet(.otherSalt) }
            return try translating { () throws(CryptoError) in
                let key = try unsafe salt.bytes.withUnsafeBytes { (salt) throws(CryptoError) in
                    try unsafe WalletCipher.key(password: password, salt: salt)
                }
                return try open(key)
            }
        }
        // Nothing in the file says by which processor its key was made.
        for hash in WalletCipher.Hash.allCases {
            do throws(ImportError) {
                return try translating { () throws(CryptoError) in
                    try open(try WalletCipher.key(oldPassword: password, hash))
                }
            } catch { guard error == .wrongPassword else { throw error } }
        }
        throw .wrongPassword
    }

    private func open(_ key: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
        try unsafe bytes.bytes.withUnsafeBytes { (bytes) throws(CryptoError) in
            try unsafe WalletCipher.open(UnsafeRawBufferPointer(rebasing: bytes[sealed]), key: key, chaining)
        }
    }

    private func translating(
        _ body: () throws(CryptoError) -> SecretBytes
    ) throws(ImportError) -> SecretBytes {
        do throws(CryptoError) { return try body() } catch {
            switch error {
            case .authenticationFailed: throw .wrongPassword
            case .invalidLength, .invalidParameters: throw .wallet(.blocks)
            case .zeroKey, .randomnessUnavailable, .outOfMemory, .abandoned, .library: throw .crypto(error)
            }
        }
    }

    private static let magic = "KWALLET\n\r\0\r\n"
    /// An MD5.
    private static let nameDigest = 16
    private static let gpg: UInt8 = 2
}

/// The files that KWallet keeps beside a wallet.
package struct WalletCompanions: Sendable {
    /// What makes a key of the password; `NAME.salt`.
    package var salt: ImportedBytes?
    /// What programs said of their entries by the Secret Service; `NAME_attributes.json`.
    package var attributes: ImportedBytes?

    package init(salt: ImportedBytes? = nil, attributes: ImportedBytes? = nil) {
        (self.salt, self.attributes) = (salt, attributes)
    }

    /// Those beside the wallet at a path; nil where there is none.
    internal init(besidePath path: String) throws(ImportError) {
        let name = path.utf8.suffix(4).elementsEqual(".kwl".utf8) ? String(path.dropLast(4)) : path
        salt = try WalletCompanions.file(name + ".salt")
        attributes = try WalletCompanions.file(name + "_attributes.json")
    }

    private static func file(_ path: String) throws(ImportError) -> ImportedBytes? {
        do throws(ImportError) { return try ImportFile.bytes(path: path) } catch {
            guard error == .unreadable(errno: ENOENT) else { throw .wallet(.companion) }
            return nil
        }
    }
}

/// Why a wallet of KWallet cannot be read, and what can be done.
package enum WalletFault: Equatable, Sendable, CustomStringConvertible {
    /// It is encrypted for a key of GnuPG.
    case gpg
    case noSalt
    case otherSalt
    /// A file beside it cannot be read.
    case companion
    /// OpenSSL has no Blowfish here.
    case noBlowfish
    case names
    case blocks
    case attributes

    package var description: String {
        switch self {
        case .gpg:
            "it is encrypted for a key of GnuPG, which only KWallet opens: import it there with --from-secret-service, or "
                + "copy its folders in KWalletManager into a wallet with a password, and import that one's file"
        case .noSalt:
            "the file NAME.salt, without which its password opens nothing, is not beside it: copy it from where the wallet was"
        case .otherSalt: "the file NAME.salt beside it is damaged: it does not have \(WalletCipher.saltSize) bytes"
        case .companion: "NAME.salt or NAME_attributes.json beside it cannot be read"
        case .noBlowfish:
            "it is encrypted with Blowfish, for which OpenSSL needs its legacy provider (sudo apt install openssl-provider-legacy)"
        case .names: "it is damaged: its list of names ends before its end"
        case .blocks: "it is damaged: its encrypted part is cut off"
        case .attributes:
            "NAME_attributes.json beside it is damaged: without that file the wallet is imported without what programs find "
                + "its entries by"
        }
    }
}
