// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// What a signer says of a program, about these very bytes.
package struct ProgramStatement: Sendable, Equatable {
    package let applicationIdentifier: String
    package let keychainAccessGroups: [String]
    package let applicationGroups: [String]
    /// Goes up when an older version must not be believed any more.
    package let serial: Int64
    /// `ProgramSigner.identifier` of the key it is signed with.
    package let signer: [UInt8]
    /// The program's `ProgramDigest`, and how many bytes that covers.
    package let digest: [UInt8]
    package let length: Int

    /// Nil when a name is empty or could not be shown, or a number has no meaning.
    package init?(
        applicationIdentifier: String, keychainAccessGroups: [String], applicationGroups: [String], serial: Int64,
        signer: [UInt8], digest: [UInt8], length: Int
    ) {
        let names = [applicationIdentifier] + keychainAccessGroups + applicationGroups
        guard names.allSatisfy(ProgramStatement.isName), serial >= 0, length > 0, signer.count == 32, digest.count == 32
        else { return nil }
        self.applicationIdentifier = applicationIdentifier
        self.keychainAccessGroups = keychainAccessGroups
        self.applicationGroups = applicationGroups
        self.serial = serial
        self.signer = signer
        self.digest = digest
        self.length = length
    }

    /// All that it claims.
    package var names: [String] { [applicationIdentifier] + keychainAccessGroups + applicationGroups }

    /// What it grants once it is believed: as much as a file that names the program by its path.
    package var granted: GrantedEntitlements {
        GrantedEntitlements(
            keychainAccessGroups: keychainAccessGroups, applicationIdentifier: applicationIdentifier,
            applicationGroups: applicationGroups, honoursWildcard: false)
    }

    /// Whether it may stand in a terminal: names come out of files that nobody vouches for yet.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longestName
            && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }

    private static let longestName = 1024
}

extension ProgramStatement {
    internal var propertyList: PropertyList {
        .dictionary([
            Key.format: .number(Key.currentFormat), Key.identifier: .string(applicationIdentifier),
            Key.accessGroups: .array(keychainAccessGroups.map(PropertyList.string)),
            Key.applicationGroups: .array(applicationGroups.map(PropertyList.string)), Key.serial: .number(serial),
            Key.signer: .data(signer), Key.digest: .data(digest), Key.length: .number(Int64(length)),
        ])
    }

    /// Nil unless it is all that a statement has, and nothing else.
    internal init?(_ list: PropertyList) {
        guard case .dictionary(let entries) = list, entries.count == 8,
            case .number(Key.currentFormat)? = entries[Key.format],
            case .string(let identifier)? = entries[Key.identifier],
            let accessGroups = entries[Key.accessGroups].flatMap(ProgramStatement.names),
            let applicationGroups = entries[Key.applicationGroups].flatMap(ProgramStatement.names),
            case .number(let serial)? = entries[Key.serial], case .data(let signer)? = entries[Key.signer],
            case .data(let digest)? = entries[Key.digest], case .number(let number)? = entries[Key.length],
            let length = Int(exactly: number)
        else { return nil }
        self.init(
            applicationIdentifier: identifier, keychainAccessGroups: accessGroups, applicationGroups: applicationGroups,
            serial: serial, signer: signer, digest: digest, length: length)
    }

    private static func names(_ list: PropertyList) -> [String]? {
        guard case .array(let values) = list else { return nil }
        var names: [String] = []
        for value in values {
            guard case .string(let name) = value else { return nil }
            names.append(name)
        }
        return names
    }

    private enum Key {
        static let format = "format"
        static let identifier = "application-identifier"
        static let accessGroups = "keychain-access-groups"
        static let applicationGroups = "application-groups"
        static let serial = "serial"
        static let signer = "signer"
        static let digest = "digest"
        static let length = "length"
        static let currentFormat: Int64 = 1
    }
}
