// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// Somebody whose signatures an administrator believes, and how far: the content of one signer file.
package struct ProgramSigner: Sendable, Equatable {
    /// The file's name, for people.
    package let file: String
    /// Ed25519, 32 bytes.
    package let publicKey: [UInt8]
    package let identifier: [UInt8]
    /// What every name that they grant begins with; each ends in a dot.
    package let prefixes: [String]
    /// The lowest serial that is still believed, by application identifier.
    package let minimumSerials: [String: Int64]
    /// The users who may run their programs; nil for all.
    package let users: Set<UInt32>?

    /// How a statement names a key: its SHA-256.
    package static func identifier(of publicKey: [UInt8]) throws(SignatureFault) -> [UInt8] {
        do throws(CryptoError) { return try Digest.sha256(of: publicKey) } catch { throw .library }
    }

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
        case .outdated(let serial, let minimum): "it wants serial \(minimum) at least, and the program has \(serial)"
        }
    }
}
