// SPDX-License-Identifier: Apache-2.0

/// A reference object that a row makes out of the fixtures, before any keychain has seen it.
enum VectorFixture: Sendable {
    case certificate(String)
    case privateKey(String)
    case publicKey(String)
    case identity(String)

    init?(_ fields: inout VectorFields) throws {
        if let name = try fields.string("$certificate") {
            self = .certificate(name)
        } else if let name = try fields.string("$key") {
            self = .privateKey(name)
        } else if let name = try fields.string("$publicKey") {
            self = .publicKey(name)
        } else if let name = try fields.string("$identity") {
            self = .identity(name)
        } else {
            return nil
        }
    }
}

/// What a certificate has to be good for.
enum VectorPolicy: Sendable {
    case basic
    case revocation
    case server(host: String?)
    case client
    case mail(address: String?)

    init?(_ fields: inout VectorFields, at place: String) throws {
        guard let name = try fields.string("$policy") else { return nil }
        switch name {
        case "basic": self = .basic
        case "revocation": self = .revocation
        case "server": self = .server(host: try fields.string("host"))
        case "client": self = .client
        case "mail": self = .mail(address: try fields.string("address"))
        default: throw VectorError("\(place): unknown policy \(name)")
        }
    }
}
