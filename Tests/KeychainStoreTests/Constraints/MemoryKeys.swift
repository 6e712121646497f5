// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainCrypto
import KeychainModel

/// Every key that an unlocked engine has in its memory, read out of the keybag by hand.
struct MemoryKeys {
    /// Device root, index key, class keys and class metadata keys.
    private(set) var keys: [[UInt8]]
    let indexKey: [UInt8]
    /// The private half of the passcode's factor, which no engine keeps.
    let factor: [UInt8]

    /// What the keybag's records hold, for who has everything they hang on.
    init(_ store: ConstrainedStore) throws {
        let salt = store.keys.header.passcode?.salt ?? []
        let root = Self.copy(store.root.key)
        let stretched = try Self.derived(64) { output in
            let passcode = Array("the passcode".utf8)
            try passcode.withUnsafeBytes {
                try KeyDerivation.scrypt(
                    passcode: $0, salt: salt, log2N: ConstrainedStore.cost.log2N, r: ConstrainedStore.cost.r,
                    p: ConstrainedStore.cost.p, into: output)
            }
        }
        let secrets = [1: root, 2: root + Self.copy(store.gate) + stretched[32...]]
        guard let payload = try TwinRecord.decode(try store.keybag.encoded(), magic: Array("LLAVEBAG".utf8)),
            case .dictionary(let fields) = try PropertyList(decoding: payload.bytes),
            case .data(let header)? = fields["header"], case .array(let records)? = fields["records"]
        else { throw KeybagError.damaged }
        let digest = try header.withUnsafeBytes { bytes in try Digest.sha256(bytes) }
        var (keys, contents) = ([root], [Int64: [UInt8]]())
        for record in records {
            guard case .dictionary(let fields) = record, case .number(let slot)? = fields["slot"],
                case .number(let content)? = fields["class"], case .data(let wrapped)? = fields["key"],
                let secret = secrets[Int(slot)]
            else { throw KeybagError.damaged }
            var info = Array("llavero keybag".utf8) + [3, UInt8(slot), UInt8(content)]
            if case .number(let generation)? = fields["generation"], case .data(let id)? = fields["id"] {
                info += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: generation >> $0) } + id
            }
            if case .number(let factor)? = fields["factor"] { info.append(UInt8(factor)) }
            let key = try Self.unwrapped(wrapped, under: try Self.hkdf(secret, digest, info))
            contents[content] = key
            // The passcode's factor is not in it: nobody has shown it.
            if content != 1 { keys += stride(from: 0, to: key.count, by: 32).map { Array(key[$0..<$0 + 32]) } }
        }
        self.keys = keys
        indexKey = contents[0] ?? []
        factor = contents[1] ?? []
    }

    /// The secrets of which a way's key could be made: each of the keys, and what is derived from the index key.
    func candidates(_ uuid: [UInt8]) throws -> [[UInt8]] {
        let names = ["llavero any finger", "llavero fingers", "llavero password pepper", "llavero constraint"]
        return [[]] + keys + (try names.map { try Self.hkdf(indexKey, uuid, Array($0.utf8)) })
    }

    static func hkdf(_ secret: [UInt8], _ salt: [UInt8], _ info: [UInt8]) throws -> [UInt8] {
        try derived(32) { output in
            try secret.withUnsafeBytes { try KeyDerivation.hkdf(secret: $0, salt: salt, info: info, into: output) }
        }
    }

    /// What is wrapped in bytes; throws when the key is another one.
    static func unwrapped(_ wrapped: [UInt8], under key: [UInt8]) throws -> [UInt8] {
        let wrap = try key.withUnsafeBytes { try KeyWrap(key: $0) }
        return try derived(wrapped.count - KeyWrap.overhead) { output in
            try wrapped.withUnsafeBytes { try wrap.unwrap($0, into: output) }
        }
    }

    static func shared(_ privateKey: [UInt8], _ point: [UInt8]) throws -> [UInt8] {
        copy(try KeyAgreement.sharedSecret(of: try secret(privateKey), with: point))
    }

    static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
        SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    private static func copy(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withUnsafeBytes { Array($0) }
    }

    private static func derived(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try body($0) }
        return bytes
    }
}
