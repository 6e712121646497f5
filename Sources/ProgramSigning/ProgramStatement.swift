// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainModel

/// What a signer says of a program, about these very bytes.
package struct ProgramStatement: Sendable, Equatable {
    package let applicationIdentifier: String
    package let keychainAccessGroups: [String]
    package let applicationGroups: [String]
    /// Goes up when an older version must not be believed any more.
    package let serial: Int64
    /// `signer(of:)` the key it is signed with.
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

    /// How a statement names a key: its SHA-256.
    package static func signer(of publicKey: [UInt8]) throws(SignatureFault) -> [UInt8] {
        do throws(CryptoError) { return try Digest.sha256(of: publicKey) } catch { throw .library }
    }

    /// All that it claims.
    package var names: [String] { [applicationIdentifier] + keychainAccessGroups + applicationGroups }

    /// Whether it may stand in a terminal: names come out of files that are not verified yet.
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

/// A statement and an unverified signature, which means nothing before `requireSignature`.
package struct SignedStatement: Sendable, Equatable {
    package let statement: ProgramStatement
    package let signature: [UInt8]

    /// Signs; the statement has to name this very key.
    package init(
        signing statement: ProgramStatement, with privateKey: borrowing SecretBytes
    ) throws(SignatureFault) {
        do throws(CryptoError) {
            let publicKey = try Ed25519.publicKey(of: privateKey)
            guard try Digest.sha256(of: publicKey) == statement.signer else { throw .invalidParameters }
            let message = try SignedStatement.message(statement)
            signature = try Ed25519.signature(of: message, with: privateKey)
        } catch { throw .library }
        self.statement = statement
    }

    /// Throws unless the owner of `publicKey` signed exactly this.
    package func requireSignature(by publicKey: [UInt8]) throws(SignatureFault) {
        let message: [UInt8]
        do throws(CryptoError) { message = try SignedStatement.message(statement) } catch { throw .library }
        guard Ed25519.isValid(signature: signature, of: message, publicKey: publicKey) else { throw .wrongSignature }
    }

    // Words before it, so that no signature for another purpose under the same key can stand here.
    private static func message(_ statement: ProgramStatement) throws(CryptoError) -> [UInt8] {
        do throws(CodingError) {
            return try Array("llavero signed program\0".utf8) + statement.propertyList.encoded()
        } catch { throw .invalidParameters }
    }

    internal func encoded() throws(SignatureFault) -> [UInt8] {
        do throws(CodingError) {
            return try PropertyList.array([statement.propertyList, .data(signature)]).encoded()
        } catch { throw .malformed(.statement) }
    }

    /// Reads what `encoded` writes, and nothing else.
    internal init(decoding bytes: [UInt8]) throws(SignatureFault) {
        let list: PropertyList
        do throws(CodingError) { list = try PropertyList(decoding: bytes) } catch { throw .malformed(.statement) }
        guard case .array(let parts) = list, parts.count == 2, let statement = ProgramStatement(parts[0]),
            case .data(let signature) = parts[1], signature.count == Ed25519.signatureSize
        else { throw .malformed(.statement) }
        self.statement = statement
        self.signature = signature
        // Keys that Unicode holds equal to ours are not ours.
        guard try encoded() == bytes else { throw .malformed(.statement) }
    }
}

/// A signed statement as the content of the section `.note.llavero`: one note, in the form that all ELF notes have.
internal enum StatementNote {
    /// The bytes of a section with this statement.
    static func bytes(_ statement: SignedStatement) throws(SignatureFault) -> [UInt8] {
        let content = try statement.encoded()
        var bytes = [UInt8](repeating: 0, count: headSize)
        LittleEndian.write(UInt32(owner.count), to: &bytes, at: 0)
        LittleEndian.write(UInt32(truncatingIfNeeded: content.count), to: &bytes, at: 4)
        LittleEndian.write(kind, to: &bytes, at: 8)
        bytes += owner + content
        bytes += [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
        guard bytes.count <= largest else { throw .tooLarge(.statement) }
        return bytes
    }

    /// Reads what `bytes` writes, and nothing else.
    static func statement(in bytes: [UInt8]) throws(SignatureFault) -> SignedStatement {
        let start = headSize + owner.count
        guard bytes.count > start, bytes.count <= largest, bytes[headSize..<start].elementsEqual(owner) else {
            throw .malformed(.note)
        }
        let size: UInt32 = LittleEndian.number(bytes, at: 4)
        guard size <= UInt32(bytes.count - start) else { throw .malformed(.note) }
        let statement = try SignedStatement(decoding: Array(bytes[start..<start + Int(size)]))
        guard try StatementNote.bytes(statement) == bytes else { throw .malformed(.note) }
        return statement
    }

    static let section: StaticString = ".note.llavero"
    static let largest = 16 << 10
    // A multiple of four bytes, so that what follows it is where notes of every alignment have it.
    private static let owner = Array("Llavero\0".utf8)
    private static let kind: UInt32 = 1
    private static let headSize = 12
}
