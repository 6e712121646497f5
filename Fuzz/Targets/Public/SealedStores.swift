// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
internal import KeychainModel

/// Files of other password managers with any content, with right sums and codes around it, which no fuzzer would guess.
internal enum SealedStores {
    /// A database of KeePass, version 4, under the password "hunter2": ChaCha20, a derivation of one round.
    static func database(of content: [UInt8]) -> [UInt8]? {
        let (seed, nonce) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 9, count: 12))
        guard let main = derived(seed), let base = digest("SHA512", seed + main + [1]),
            let key = digest("SHA256", seed + main)
        else { return nil }
        func field(_ id: UInt8, _ bytes: [UInt8]) -> [UInt8] { [id] + little(bytes.count, 4) + bytes }
        func term(_ type: UInt8, _ name: String, _ bytes: [UInt8]) -> [UInt8] {
            [type] + little(name.utf8.count, 4) + Array(name.utf8) + little(bytes.count, 4) + bytes
        }
        let terms =
            [0, 1] + term(0x42, "$UUID", aesDerivation) + term(0x05, "R", little(1, 8)) + term(0x42, "S", seed) + [0]
        let header: [UInt8] =
            [0x03, 0xD9, 0xA2, 0x9A, 0x67, 0xFB, 0x4B, 0xB5, 0, 0, 4, 0] + field(2, chaCha20) + field(3, little(0, 4))
            + field(4, seed) + field(7, nonce) + field(11, terms) + field(0, [])
        guard let sealed = encrypted(content, key, nonce), let sum = digest("SHA256", header),
            let code = self.code(.max, header, base)
        else { return nil }
        var file = header + sum + code
        for (number, part) in [sealed, [UInt8]()].enumerated() where number > 0 || !part.isEmpty {
            let block = little(part.count, 4) + part
            guard let code = self.code(UInt64(content.isEmpty ? 0 : number), block, base) else { return nil }
            file += code + block
        }
        return file
    }

    /// A ZIP of one file, which is not compressed.
    static func archive(of content: [UInt8], called name: String) -> [UInt8] {
        let sum = ~content.reduce(UInt32.max) { value, byte in
            (0..<8).reduce(value ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        let facts =
            [20, 0, 0, 8, 0, 0, 0, 0, 0, 0] + little(Int(sum), 4) + little(content.count, 4) + little(content.count, 4)
            + little(name.utf8.count, 2) + [0, 0]
        let entry = [0x50, 0x4B, 3, 4] + facts + Array(name.utf8) + content
        let directory = [0x50, 0x4B, 1, 2, 20, 0] + facts + [UInt8](repeating: 0, count: 14) + Array(name.utf8)
        return entry + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0] + little(directory.count, 4)
            + little(entry.count, 4) + [0, 0]
    }

    /// What the password makes with the seed.
    private static func derived(_ seed: [UInt8]) -> [UInt8]? {
        guard let first = digest("SHA256", Array("hunter2".utf8)), let key = digest("SHA256", first) else { return nil }
        do {
            let bytes = try ForeignCipher.keePass(SecretBytes(key), seed: seed, rounds: 1)
            return bytes.withUnsafeBytes { Array($0) }
        } catch { return nil }
    }

    private static func encrypted(_ content: [UInt8], _ key: [UInt8], _ nonce: [UInt8]) -> [UInt8]? {
        do {
            return try content.lendingBytes { (content) throws(CryptoError) -> [UInt8] in
                try key.lendingBytes { (key) throws(CryptoError) -> [UInt8] in
                    let sealed = try ForeignCipher.chaCha20(content, key: key, nonce: nonce)
                    return sealed.withUnsafeBytes { Array($0) }
                }
            }
        } catch { return nil }
    }

    private static func code(_ number: UInt64, _ bytes: [UInt8], _ base: [UInt8]) -> [UInt8]? {
        let place = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
        guard let key = digest("SHA512", place + base) else { return nil }
        let input = number == .max ? bytes : place + bytes
        var (output, count) = ([UInt8](repeating: 0, count: 32), 0)
        let isMade = EVP_Q_mac(
            nil, "HMAC", nil, "SHA256", nil, key, key.count, input, input.count, &output, output.count, &count)
        return isMade != nil && count == 32 ? output : nil
    }

    private static func digest(_ name: String, _ bytes: [UInt8]) -> [UInt8]? {
        var (output, count) = ([UInt8](repeating: 0, count: 64), 0)
        guard EVP_Q_digest(nil, name, nil, bytes, bytes.count, &output, &count) == 1 else { return nil }
        return Array(output[..<count])
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static let chaCha20: [UInt8] = [
        0xD6, 0x03, 0x8A, 0x2B, 0x8B, 0x6F, 0x4C, 0xB5, 0xA5, 0x24, 0x33, 0x9A, 0x31, 0xDB, 0xB5, 0x9A,
    ]
    private static let aesDerivation: [UInt8] = [
        0xC9, 0xD9, 0xF3, 0x9A, 0x62, 0x8A, 0x44, 0x60, 0xBF, 0x74, 0x0D, 0x08, 0xC1, 0x8A, 0x4F, 0xEA,
    ]
}
