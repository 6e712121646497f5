// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The keys and certificates of `Tests/Vectors/certificates/scenarios`, which rows call by name.
struct ScenarioFixtures: Sendable {
    struct Key: Sendable {
        let type: Int64
        let publicBytes: Data
        let privateBytes: Data
        let members: [String: VectorValue]
    }

    struct Certificate: Sendable {
        let key: String
        let der: Data
        let members: [String: VectorValue]
    }

    private let keys: [String: Key]
    private let certificates: [String: Certificate]

    /// What is there, or why it cannot be read.
    static let shared = Result { try ScenarioFixtures() }

    func key(_ name: String) throws -> Key {
        guard let key = keys[name] else { throw VectorError("there is no key \(name)") }
        return key
    }

    func certificate(_ name: String) throws -> Certificate {
        guard let certificate = certificates[name] else { throw VectorError("there is no certificate \(name)") }
        return certificate
    }

    private init() throws {
        keys = try ScenarioFixtures.entries("keys.json").mapValues { try Key($0) }
        certificates = try ScenarioFixtures.entries("certificates.json").mapValues { try Certificate($0) }
    }

    private static func entries(_ file: String) throws -> [String: VectorFields] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/certificates/scenarios")
        let json = try JSONDecoder().decode(
            [String: JSONValue].self, from: Data(contentsOf: folder.appendingPathComponent(file)))
        return try Dictionary(uniqueKeysWithValues: json.map { ($0, try VectorFields($1, at: "\(file) \($0)")) })
    }
}

extension ScenarioFixtures.Key {
    fileprivate init(_ given: VectorFields) throws {
        var fields = given
        type = try fields.require("type").integer(at: "type")
        let bits = try fields.require("bits").integer(at: "bits")
        publicBytes = try fields.base64("public")
        privateBytes = try fields.base64("private")
        members = [
            "type": .number(type), "bits": .number(bits), "public": .data(Array(publicBytes)),
            "private": .data(Array(privateBytes)), "label": try fields.hexadecimal("label"),
        ]
        try fields.finish()
    }
}

extension ScenarioFixtures.Certificate {
    fileprivate init(_ given: VectorFields) throws {
        var fields = given
        key = try fields.require("key").string(at: "key")
        der = try fields.base64("der")
        var members: [String: VectorValue] = [
            "der": .data(Array(der)), "version": .number(try fields.require("version").integer(at: "version")),
        ]
        for name in ["subject", "subjectName", "issuer", "issuerName", "serial", "label"] {
            members[name] = try fields.hexadecimal(name)
        }
        // A certificate of version 1 or 2 has none.
        members["keyIdentifier"] = try? fields.hexadecimal("keyIdentifier")
        self.members = members
        try fields.finish()
    }
}

extension VectorFields {
    fileprivate mutating func base64(_ name: String) throws -> Data {
        guard let data = Data(base64Encoded: try require(name).string(at: name)) else {
            throw VectorError("\(name) is no base64")
        }
        return data
    }

    fileprivate mutating func hexadecimal(_ name: String) throws -> VectorValue {
        .data(try VectorValue.bytes(try require(name).string(at: name), at: name))
    }
}
