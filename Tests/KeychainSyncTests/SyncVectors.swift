// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import TestCircles
import Testing

/// The rows of `Tests/Vectors/sync`.
enum SyncVectors {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Vectors/sync")

    static let secondReader = folder.appendingPathComponent("read.py").path

    static func rows<Row: Decodable>(_ name: String, as row: Row.Type = Row.self) throws -> [Row] {
        try JSONDecoder().decode([Row].self, from: Data(contentsOf: folder.appendingPathComponent(name + ".json")))
    }

    static func write(_ rows: [some Encodable], _ name: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let text = try encoder.encode(rows) + Data("\n".utf8)
        try text.write(to: folder.appendingPathComponent(name + ".json"))
    }

    /// Bytes that are hexadecimal digits in the file.
    struct Bytes: Decodable, Equatable, CustomStringConvertible {
        let array: [UInt8]

        init(_ array: [UInt8]) { self.array = array }

        init(from decoder: any Decoder) throws {
            self.init(hexadecimal: try decoder.singleValueContainer().decode(String.self))
        }

        init(hexadecimal text: String) {
            let digits = text.compactMap(\.hexDigitValue)
            array = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }

        var description: String {
            array.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }

        var secret: SecretBytes { SecretBytes(count: array.count) { $0.copyBytes(from: array) } }
    }

    /// A device's private keys, and perhaps what its card is.
    struct Device: Decodable {
        let signing: Bytes
        let agreement: Bytes
        let kind: Int64
        let bytes: Bytes?
        let device: Bytes?

        func made() throws -> TestCircleDevice {
            try TestCircleDevice(
                signing: P256.key(of: signing.secret), agreement: P256.key(of: agreement.secret),
                kind: #require(Card.Kind(rawValue: kind)))
        }
    }

    struct Key: Decodable {
        let generation: UInt32
        let secret: Bytes
        let first: Bytes
        let commitment: Bytes
    }

    /// The keys of a view, made of their secrets, with what they should give.
    static func keyring(
        _ circle: Bytes, _ view: Bytes, _ keys: [Key]
    ) throws -> (keys: ViewKeyring, view: SyncView) {
        let (circle, view) = (try #require(CircleID(circle.array)), try #require(SyncView(view.array)))
        var keyring = ViewKeyring(circle: circle)
        var last: ViewKey?
        for row in keys {
            let key =
                try last?.next(secret: row.secret.secret)
                ?? ViewKey(circle: circle, view: view, secret: row.secret.secret)
            #expect(key.generation == row.generation)
            #expect(Bytes(key.firstHalf().withUnsafeBytes { Array($0) }) == row.first)
            #expect(try Bytes(key.commitment()) == row.commitment)
            keyring.insert(key)
            last = key
        }
        return (keyring, view)
    }

    struct Item: Decodable {
        let `class`: UInt8
        let attributes: [String: Value]
        let secret: Bytes?
        let secretGeneration: UInt32
        let later: Bytes

        func made() throws -> SyncItem {
            var list = AttributeList()
            for (name, value) in attributes {
                list[try #require(Attribute.allCases.first { $0.key == name })] = value.made
            }
            return SyncItem(
                itemClass: try #require(ItemClass(rawValue: self.class)), attributes: list,
                secret: secret.map { SecretValue(copying: $0.array) }, secretGeneration: secretGeneration,
                later: later.array)
        }
    }

    /// Text and numbers are themselves; data and dates say what they are.
    struct Value: Decodable {
        let made: AttributeValue

        init(from decoder: any Decoder) throws {
            if let named = try? decoder.container(keyedBy: Name.self) {
                made =
                    try named.contains(.date)
                    ? .date(named.decode(Double.self, forKey: .date))
                    : .data(named.decode(Bytes.self, forKey: .data).array)
                return
            }
            let value = try decoder.singleValueContainer()
            made = try (try? .number(value.decode(Int64.self))) ?? .string(value.decode(String.self))
        }

        private enum Name: String, CodingKey { case data, date }
    }
}
