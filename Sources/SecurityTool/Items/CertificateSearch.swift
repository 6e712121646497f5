// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// A certificate that was found, with its keychain.
struct PlacedCertificate {
    let item: FoundItem
    let certificate: Certificate
    let keychain: ToolKeychain
    /// Its private key's item, in a search for identities.
    let key: FoundItem?

    var sha1: String {
        let hash = try? unsafe certificate.der.lendingBytes { (bytes) throws(CryptoError) in
            try unsafe Digest.sha1(bytes)
        }
        return Hexadecimal.digits(of: hash ?? [], uppercase: true)
    }

    var sha256: String { Hexadecimal.digits(of: certificate.fingerprint, uppercase: true) }

    func delete(withKey: Bool) throws(SecurityFailure) {
        for item in withKey ? [key, item].compactMap(\.self) : [item] {
            let request = DeleteRequest(
                predicate: .only(.item(item.itemClass, item.persistentID)), tombstones: .whenSynchronizable)
            try Unlocking.retrying(keychain, SecurityFailure.CallName.delete) { () throws(CommandError) in
                try keychain.delete(request, of: .programs)
            }
        }
    }
}

/// Finds certificates: all of them, or those with a private key.
enum CertificateSearch {
    static func all(
        ofIdentities: Bool = false, in keychains: [ToolKeychain]
    ) throws(SecurityFailure) -> [PlacedCertificate] {
        var certificates: [PlacedCertificate] = []
        for keychain in keychains {
            let request = MatchRequest(
                predicate: .all(of: ofIdentities ? .identity : .stored(.certificate), AttributeList()),
                returning: ofIdentities ? .attributes : [.attributes, .data], limit: .all)
            for found in try match(request, keychain) {
                switch found {
                case .item(let item):
                    if let one = placed(item, nil, keychain) { certificates.append(one) }
                case .identity(let certificate, let key):
                    // Only the certificate is read; the key's bytes are not needed.
                    let request = MatchRequest(
                        predicate: .only(.item(.certificate, certificate.persistentID)),
                        returning: [.attributes, .data],
                        limit: .single)
                    if case .item(let item)? = try match(request, keychain).first,
                        let one = placed(item, key, keychain)
                    {
                        certificates.append(one)
                    }
                // Not requested.
                case .damaged: continue
                }
            }
        }
        return certificates
    }

    /// Those of the keychains that are not locked.
    static func all(
        ofIdentities: Bool = false, in keychains: [ToolKeychain], passing locked: inout LockedKeychains
    ) throws(SecurityFailure) -> [PlacedCertificate] {
        try locked.passing(keychains) { (keychain) throws(SecurityFailure) in
            try all(ofIdentities: ofIdentities, in: [keychain])
        }
    }

    private static func match(
        _ request: MatchRequest, _ keychain: ToolKeychain
    ) throws(SecurityFailure) -> [Found] {
        try Unlocking.retrying(keychain, SecurityFailure.CallName.search) { () throws(CommandError) in
            try keychain.match(request, of: .programs)
        }
    }

    private static func placed(
        _ item: FoundItem, _ key: FoundItem?, _ keychain: ToolKeychain
    ) -> PlacedCertificate? {
        guard let certificate = item.certificate else { return nil }
        return PlacedCertificate(item: item, certificate: certificate, keychain: keychain, key: key)
    }
}

extension FoundItem {
    /// The certificate that it is; nil for other classes, and where its bytes were not asked for.
    var certificate: Certificate? {
        guard itemClass == .certificate, let secret else { return nil }
        return Certificate(uncheckedRow: unsafe secret.withUnsafeBytes { unsafe Array($0) })
    }
}

/// Which certificates to find.
struct CertificateWish {
    var name: String?
    var address: String?
    var hash: String?

    init() {}

    /// From -c or -Z, exactly one of which has to be given.
    init(naming options: SecurityOptions) throws(SecurityFailure) {
        (name, hash) = (options.value("c"), options.value("Z")?.uppercased())
        guard (name == nil) != (hash == nil) else {
            throw .usage("either -c or -Z has to be given, to select the certificate")
        }
        if let hash, Hexadecimal.bytes(of: hash)?.count != 20, Hexadecimal.bytes(of: hash)?.count != 32 {
            throw .usage("-Z requires a SHA-1 or SHA-256 hash in hexadecimal digits")
        }
    }

    func fits(_ one: PlacedCertificate) -> Bool {
        if let name {
            let pattern = TextPattern(name, at: .anywhere, matching: TextMatching())
            let texts = one.certificate.subject.texts(of: .commonName) + [one.certificate.subjectSummary ?? ""]
            guard texts.contains(where: { pattern.matches($0) }) else { return false }
        }
        if let address {
            let wanted = address.lowercased()
            guard one.certificate.emailAddresses.contains(where: { $0.lowercased() == wanted }) else { return false }
        }
        if let hash { return hash == one.sha1 || hash == one.sha256 }
        return true
    }
}
