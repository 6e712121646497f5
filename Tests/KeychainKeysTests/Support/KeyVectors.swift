// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainKeys
import Testing

/// The files in `Tests/Vectors/keys`, read from the source tree this file is in.
struct KeyVectors: Decodable, Sendable {
    struct Key: Decodable, Sendable {
        let type: String
        let `private`: String?
        let `public`: String?
    }

    struct Row: Decodable, Sendable, CustomStringConvertible {
        let id: String
        let op: String
        let key: String?
        let algorithm: String
        let input: String?
        let output: String
        let peer: String?
        let sharedInfo: String?
        let requestedSize: Int?
        let rounds: Int?

        var description: String { id }
        var inputBytes: [UInt8] { [UInt8](hex: input ?? "") }
        var outputBytes: [UInt8] { [UInt8](hex: output) }
        var info: [UInt8] { [UInt8](hex: sharedInfo ?? "") }
    }

    let keys: [String: Key]
    let rows: [Row]

    static let published = read("published")
    static let reference = read("reference")
    static let rsaKeys = load("rsa-keys", as: [String: String].self).mapValues { [UInt8](hex: $0) }

    static func read(_ name: String) -> KeyVectors { load(name, as: KeyVectors.self) }

    static func load<Content: Decodable>(_ name: String, as type: Content.Type) -> Content {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = tests.appendingPathComponent("Vectors/keys/\(name).json")
        do {
            return try JSONDecoder().decode(type, from: Data(contentsOf: file))
        } catch { preconditionFailure("\(file.path): \(error)") }
    }

    /// Both halves of a row's key; the same twice for a symmetric one.
    func pair(of row: Row) throws -> (private: CryptoKey?, public: CryptoKey) {
        let key = try #require(row.key.flatMap { keys[$0] })
        let type = try #require(Self.types[key.type])
        if type == .aes {
            let key = try CryptoKey(.aes, .symmetric, representation: [UInt8](hex: key.private ?? ""))
            return (key, key)
        }
        let own = try key.private.map { try CryptoKey(type, .private, representation: [UInt8](hex: $0)) }
        return (own, try CryptoKey(type, .public, representation: [UInt8](hex: key.public ?? "")))
    }

    static let types: [String: KeyType] = [
        "rsa": .rsa, "ec": .ec, "ed25519": .ed25519, "x25519": .x25519, "ed448": .ed448, "x448": .x448, "aes": .aes,
    ]
}
