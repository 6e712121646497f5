// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainCrypto
package import KeychainModel

/// What a backup says before its items: whose it is, when it was made, and what opens it.
package struct BackupHeader: Sendable, Equatable {
    /// A random name of the file.
    package let file: [UInt8]
    package let keychain: KeychainUUID
    /// Seconds since 2001-01-01 UTC.
    package let time: Double
    /// The public key of the device that signed it.
    package let signer: [UInt8]
    package let stanzas: [BackupStanza]
    /// The backup that it goes on from; nil of one that has everything.
    package let base: BackupBase?

    package init(
        _ key: BackupKey, keychain: KeychainUUID, time: Double, signer: [UInt8], stanzas: [BackupStanza],
        base: BackupBase? = nil
    ) {
        (file, self.keychain, self.signer, self.stanzas) = (key.file, keychain, signer, stanzas)
        self.time = (time * 1000).rounded(.down) / 1000
        self.base = base
    }

    package func encoded() throws(BackupError) -> [UInt8] {
        var fields: [String: PropertyList] = [
            "file": .data(file), "keychain": .data(keychain.bytes), "time": .number(Int64(time * 1000)),
            "signer": .data(signer), "stanzas": .array(stanzas.map(\.list)),
        ]
        if let base { fields["base"] = base.list }
        do throws(CodingError) { return try PropertyList.dictionary(fields).encoded() } catch { throw .damaged }
    }

    package init(decoding bytes: [UInt8]) throws(BackupError) {
        guard case .dictionary(let fields)? = try? PropertyList(decoding: bytes),
            fields.count == (fields["base"] == nil ? 5 : 6),
            case .data(let file)? = fields["file"], file.count == BackupKey.fileSize,
            case .data(let uuid)? = fields["keychain"], let keychain = KeychainUUID(uuid),
            case .number(let time)? = fields["time"], abs(time) < 100_000_000_000_000,
            case .data(let signer)? = fields["signer"], signer.count == Ed25519.keySize,
            case .array(let lists)? = fields["stanzas"], (1...BackupLimits.mostStanzas).contains(lists.count)
        else { throw .damaged }
        var stanzas: [BackupStanza] = []
        for list in lists {
            guard let stanza = BackupStanza(list) else { throw .damaged }
            stanzas.append(stanza)
        }
        // Two passphrases would be one too many to ask for.
        guard stanzas.count(where: { if case .passphrase = $0 { true } else { false } }) <= 1 else { throw .damaged }
        if let list = fields["base"] {
            guard let base = BackupBase(list) else { throw .damaged }
            self.base = base
        } else {
            base = nil
        }
        (self.file, self.keychain, self.signer, self.stanzas) = (file, keychain, signer, stanzas)
        self.time = Double(time) / 1000
    }
}

/// The backup that another one goes on from: what has not changed since is in that one, or further back.
package struct BackupBase: Sendable, Equatable {
    /// Its random name, and the hash at its end.
    package let file: [UInt8]
    package let hash: [UInt8]
    /// How many there are to the one that has everything.
    package let depth: Int

    /// A longer way back is not gone: each file on it may be lost.
    package static let mostDepth = 30

    package init(_ header: BackupHeader, hash: [UInt8]) {
        (file, self.hash, depth) = (header.file, hash, (header.base?.depth ?? 0) + 1)
    }

    init?(_ list: PropertyList) {
        guard case .dictionary(let fields) = list, fields.count == 3,
            case .data(let file)? = fields["file"], file.count == BackupKey.fileSize,
            case .data(let hash)? = fields["hash"], hash.count == 32,
            case .number(let depth)? = fields["depth"], (1...Int64(BackupBase.mostDepth)).contains(depth)
        else { return nil }
        (self.file, self.hash, self.depth) = (file, hash, Int(depth))
    }

    var list: PropertyList {
        .dictionary(["file": .data(file), "hash": .data(hash), "depth": .number(Int64(depth))])
    }
}

/// One lock of a backup: the file's key, wrapped for who has something.
package enum BackupStanza: Sendable, Equatable {
    /// A passphrase, stretched by scrypt.
    case passphrase(salt: [UInt8], cost: PasscodeCost, wrapped: [UInt8])
    /// The words of a recovery key; made with its public half alone, so nobody has to be there.
    case recovery(point: [UInt8], of: [UInt8], wrapped: [UInt8])
    /// The device that made it, without anything typed.
    case device(wrapped: [UInt8])
    /// The backup that it goes on from: who opens that opens this.
    case base(wrapped: [UInt8])

    // MARK: Making

    package static func passphrase(
        _ passphrase: borrowing SecretBytes, _ key: BackupKey, cost: PasscodeCost = .standard
    ) throws(BackupError) -> BackupStanza {
        let salt = try ciphering { () throws(CryptoError) in try StretchedPasscode.freshSalt() }
        let stretched = try stretched(passphrase, salt, cost)
        return .passphrase(salt: salt, cost: cost, wrapped: try key.wrapped(under: stretched))
    }

    package static func recovery(_ recovery: RecoveryPublicKey, _ key: BackupKey) throws(BackupError) -> BackupStanza {
        let once = try ciphering { () throws(CryptoError) in
            try unsafe SecretBytes(count: KeyAgreement.keySize) { (buffer) throws(CryptoError) in
                try unsafe fillRandom(buffer)
            }
        }
        let point = try ciphering { () throws(CryptoError) in try KeyAgreement.publicKey(of: once) }
        let shared = try agreed(once, with: recovery.bytes, point: point, recovery: recovery.bytes)
        return .recovery(point: point, of: recovery.bytes, wrapped: try key.wrapped(under: shared))
    }

    package static func device(_ device: borrowing SecretBytes, _ key: BackupKey) throws(BackupError) -> BackupStanza {
        let wrapping = try BackupKey.derived(device, salt: key.file, "llavero backup device")
        return .device(wrapped: try key.wrapped(under: wrapping))
    }

    package static func base(_ base: BackupKey, _ key: BackupKey) throws(BackupError) -> BackupStanza {
        .base(wrapped: try key.wrapped(under: try base.next(key.file)))
    }

    // MARK: Opening

    /// nil where this is another lock, or another base's.
    package func open(_ file: [UInt8], base: BackupKey) throws(BackupError) -> BackupKey? {
        guard case .base(let wrapped) = self else { return nil }
        return try BackupKey(wrapped, of: file, under: try base.next(file))
    }

    /// nil where this is another lock, or the passphrase is wrong.
    package func open(_ file: [UInt8], passphrase: borrowing SecretBytes) throws(BackupError) -> BackupKey? {
        guard case .passphrase(let salt, let cost, let wrapped) = self else { return nil }
        return try BackupKey(wrapped, of: file, under: try BackupStanza.stretched(passphrase, salt, cost))
    }

    /// nil where this is another lock, or the words are another key's.
    package func open(_ file: [UInt8], recovery: RecoveryKey) throws(BackupError) -> BackupKey? {
        guard case .recovery(let point, let owner, let wrapped) = self, owner == recovery.publicKey.bytes else {
            return nil
        }
        let shared = try BackupStanza.agreed(
            recovery.agreementKey(), with: point, point: point, recovery: owner)
        return try BackupKey(wrapped, of: file, under: shared)
    }

    /// nil where this is another lock, or the device is another one.
    package func open(_ file: [UInt8], device: borrowing SecretBytes) throws(BackupError) -> BackupKey? {
        guard case .device(let wrapped) = self else { return nil }
        let wrapping = try BackupKey.derived(device, salt: file, "llavero backup device")
        return try BackupKey(wrapped, of: file, under: wrapping)
    }

    private static func stretched(
        _ passphrase: borrowing SecretBytes, _ salt: [UInt8], _ cost: PasscodeCost
    ) throws(BackupError) -> SecretBytes {
        do throws(CryptoError) {
            return try unsafe SecretBytes(count: BackupKey.size) { (buffer) throws(CryptoError) in
                try unsafe passphrase.withUnsafeBytes { (passphrase) throws(CryptoError) in
                    try unsafe KeyDerivation.scrypt(
                        passcode: passphrase, salt: salt, log2N: cost.log2N, r: cost.r, p: cost.p, into: buffer)
                }
            }
        } catch { throw .crypto(error) }
    }

    private static func agreed(
        _ own: borrowing SecretBytes, with other: [UInt8], point: [UInt8], recovery: [UInt8]
    ) throws(BackupError) -> SecretBytes {
        let shared: SecretBytes
        do throws(CryptoError) { shared = try KeyAgreement.sharedSecret(of: own, with: other) } catch {
            throw error == .authenticationFailed ? .damaged : .crypto(error)
        }
        return try BackupKey.derived(shared, salt: point + recovery, "llavero backup recovery")
    }

    // MARK: In the file

    var list: PropertyList {
        switch self {
        case .passphrase(let salt, let cost, let wrapped):
            .dictionary([
                "kind": .string("passphrase"), "salt": .data(salt), "log2N": .number(Int64(cost.log2N)),
                "r": .number(Int64(cost.r)), "p": .number(Int64(cost.p)), "key": .data(wrapped),
            ])
        case .recovery(let point, let owner, let wrapped):
            .dictionary([
                "kind": .string("recovery"), "point": .data(point), "of": .data(owner), "key": .data(wrapped),
            ])
        case .device(let wrapped): .dictionary(["kind": .string("device"), "key": .data(wrapped)])
        case .base(let wrapped): .dictionary(["kind": .string("base"), "key": .data(wrapped)])
        }
    }

    init?(_ list: PropertyList) {
        guard case .dictionary(let fields) = list, case .string(let kind)? = fields["kind"],
            case .data(let wrapped)? = fields["key"], wrapped.count == BackupKey.wrappedSize
        else { return nil }
        switch (kind, fields.count) {
        case ("passphrase", 6):
            // Bounded before anybody computes with them.
            guard case .data(let salt)? = fields["salt"], salt.count == 32, case .number(let log2N)? = fields["log2N"],
                case .number(8)? = fields["r"], case .number(1)? = fields["p"],
                let log2N = UInt8(exactly: log2N), (BackupLimits.cheapest...BackupLimits.dearest).contains(log2N)
            else { return nil }
            self = .passphrase(salt: salt, cost: PasscodeCost(log2N: log2N, r: 8, p: 1), wrapped: wrapped)
        case ("recovery", 4):
            guard case .data(let point)? = fields["point"], point.count == KeyAgreement.keySize,
                case .data(let owner)? = fields["of"], owner.count == KeyAgreement.keySize
            else { return nil }
            self = .recovery(point: point, of: owner, wrapped: wrapped)
        case ("device", 2): self = .device(wrapped: wrapped)
        case ("base", 2): self = .base(wrapped: wrapped)
        default: return nil
        }
    }
}
