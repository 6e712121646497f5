// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel

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
        do throws(SignatureFault) { identifier = try ProgramSigner.identifier(of: key) } catch {
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
