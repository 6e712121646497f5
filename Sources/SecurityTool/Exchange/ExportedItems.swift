// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// What a keychain has to write into a file.
enum ExportedItems {
    /// What `-t` can say.
    enum Kind: String, CaseIterable {
        case certs, pubKeys, privKeys, identities, all
    }

    static let call = "SecKeychainItemExport"

    static func all(_ kind: Kind, of keychain: ToolKeychain) throws(SecurityFailure) -> [OutgoingItem] {
        switch kind {
        case .certs: return try certificates(of: keychain).map { .certificate($0) }
        case .pubKeys: return try keys(of: keychain, .public).map { .key($0) }
        case .privKeys: return try keys(of: keychain, .private).map { .key($0) }
        case .all:
            let certificates = try certificates(of: keychain).map { OutgoingItem.certificate($0) }
            let privateKeys = try keys(of: keychain, .private).map { OutgoingItem.key($0) }
            return certificates + privateKeys + (try keys(of: keychain, .public).map { .key($0) })
        case .identities:
            let all = try certificates(of: keychain)
            let publicKeys = Set(all.map(\.publicKey.externalBytes))
            let keys = try keys(of: keychain, .private).filter { key in
                key.key.publicRepresentation.map(publicKeys.contains) ?? false
            }
            let privateKeys = Set(keys.compactMap(\.key.publicRepresentation))
            let certificates = all.filter { privateKeys.contains($0.publicKey.externalBytes) }
            return certificates.map { .certificate($0) } + keys.map { .key($0) }
        }
    }

    private static func certificates(of keychain: ToolKeychain) throws(SecurityFailure) -> [Certificate] {
        try CertificateSearch.all(in: [keychain]).map(\.certificate)
    }

    private static func keys(of keychain: ToolKeychain, _ part: KeyPart) throws(SecurityFailure) -> [StoredKey] {
        var wanted = AttributeList()
        wanted[.keyClass] = .number(Int64(part.rawValue))
        let request = MatchRequest(
            predicate: .all(of: .stored(.key), wanted), returning: [.attributes, .reference], limit: .all)
        let found = try Unlocking.retrying(keychain, call) { () throws(CommandError) in
            try keychain.match(request, of: .programs)
        }
        var keys: [StoredKey] = []
        for case .item(let item) in found {
            guard let key = StoredKey(item, in: keychain) else {
                throw .status(.undecodable, call: call, why: "a key is of a kind that files do not have")
            }
            keys.append(key)
        }
        return keys
    }
}
