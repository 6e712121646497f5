// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSystem
package import ProgramSigning

/// A signer whose signatures an administrator trusts, and how far: the content of one signer file.
package struct ProgramSigner: Sendable, Equatable {
    /// The file's name, for people.
    package let file: String
    /// Ed25519, 32 bytes.
    package let publicKey: [UInt8]
    /// `ProgramStatement.signer(of:)` the key.
    package let identifier: [UInt8]
    /// What every name that they grant begins with; each ends in a dot.
    package let prefixes: [String]
    /// The lowest serial that is still believed, by application identifier.
    package let minimumSerials: [String: Int64]
    /// The users who may run their programs; nil for all.
    package let users: Set<UInt32>?

    /// Why they may not grant what `statement` claims to a program of `user`; nil when they may.
    ///
    /// One name too many refuses all of it: a signer who claims what is not theirs is not believed in the rest.
    package func refusal(of statement: ProgramStatement, user: UInt32) -> SignerRefusal? {
        if let users, !users.contains(user) { return .user(user) }
        if let name = statement.names.first(where: { !mayGrant($0) }) { return .notTheirs(name) }
        if let minimum = minimumSerials[statement.applicationIdentifier], statement.serial < minimum {
            return .outdated(statement.serial, minimum: minimum)
        }
        return nil
    }

    /// Whether a name begins with one of the prefixes, byte for byte, and goes on after it.
    package func mayGrant(_ name: String) -> Bool {
        prefixes.contains { name.utf8.count > $0.utf8.count && name.utf8.starts(with: $0.utf8) }
    }
}

extension ProgramSigner {
    /// The signer in a file's bytes, if all of it is understood.
    package init(parsing bytes: [UInt8], file: String) throws(EntitlementFault) {
        guard let entries = PropertyListFile.dictionary(in: bytes) else { throw .notAPropertyList }
        var fields = EntitlementFields(entries)
        guard let key = try fields.publicKey("key") else { throw .wrongValue("key") }
        let prefixes = try fields.names("prefixes") ?? []
        let minimums = try fields.numbers("minimum-serial")
        let users = try fields.users("uids")
        try fields.finish()
        guard !prefixes.isEmpty else { throw .grantsNothing }
        guard prefixes.allSatisfy(ProgramSigner.isPrefix) else { throw .wrongValue("prefixes") }
        let identifier: [UInt8]
        do throws(SignatureFault) { identifier = try ProgramStatement.signer(of: key) } catch {
            throw .file(.system(0))
        }
        self.init(
            file: file, publicKey: key, identifier: identifier, prefixes: prefixes, minimumSerials: minimums,
            users: users)
        // One of another's program would never be looked at, so it was meant for something else.
        guard minimums.allSatisfy({ mayGrant($0.key) && $0.value >= 0 }) else { throw .wrongValue("minimum-serial") }
    }

    /// Whether it ends in a dot, with something before it.
    package static func isPrefix(_ prefix: String) -> Bool {
        ProgramStatement.isName(prefix) && prefix.utf8.count > 1 && prefix.utf8.last == UInt8(ascii: ".")
    }
}

extension EntitlementFields {
    /// The 32 bytes of a public key, as data or in base64.
    fileprivate mutating func publicKey(_ key: String) throws(EntitlementFault) -> [UInt8]? {
        switch take(key) {
        case nil: return nil
        case .data(let bytes) where bytes.count == Ed25519.keySize: return bytes
        case .string(let text):
            guard let bytes = KeyText.bytes(in: text) else { throw .wrongValue(key) }
            return bytes
        default: throw .wrongValue(key)
        }
    }

    /// A number for each name; none when the key is missing.
    fileprivate mutating func numbers(_ key: String) throws(EntitlementFault) -> [String: Int64] {
        switch take(key) {
        case nil: return [:]
        case .dictionary(let entries):
            var numbers: [String: Int64] = [:]
            for (name, value) in entries {
                guard case .number(let number) = value else { throw .wrongValue(key) }
                numbers[name] = number
            }
            return numbers
        default: throw .wrongValue(key)
        }
    }
}

/// Why a signer's statement grants nothing here.
package enum SignerRefusal: Sendable, Equatable, CustomStringConvertible {
    case user(UInt32)
    /// The name has none of the signer's prefixes.
    case notTheirs(String)
    case outdated(Int64, minimum: Int64)

    package var description: String {
        switch self {
        case .user(let user): "it does not list user \(user)"
        case .notTheirs(let name): "it has no prefix for \(name)"
        case .outdated(let serial, let minimum): "it requires serial \(minimum) or later, and the program has \(serial)"
        }
    }
}

/// A public key in base64: 43 characters and a sign of equality, one way to write each.
package enum KeyText {
    package static func bytes(in text: String) -> [UInt8]? {
        guard let bytes = Base64.bytes(of: text), bytes.count == Ed25519.keySize else { return nil }
        return bytes
    }
}
