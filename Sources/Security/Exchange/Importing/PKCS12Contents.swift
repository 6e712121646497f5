// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys

/// What a PKCS#12 file holds, with its keys as this module has them.
struct PKCS12Contents {
    struct Identity {
        let certificate: Certificate
        let key: CryptoKey
        let label: String?
        let keyIdentifier: [UInt8]
        /// From the certificate towards its root.
        let chain: [Certificate]
    }

    let identities: [Identity]
    /// Every certificate of the file, in its order.
    let certificates: [PKCS12.Entry<Certificate>]
    private let lonelyKeys: [ImportedItem]

    init(_ der: [UInt8], _ passphrase: Passphrase) throws(ExchangeFailure) {
        let file = try ExchangeCall.exchanging(wrong: .verification) { () throws(ExchangeError) in
            try PKCS12(reading: der, password: passphrase.bytes)
        }
        var identities: [Identity] = []
        var lonely: [ImportedItem] = []
        // They stand in the order of the keys.
        var found = file.identities[...]
        for entry in file.keys {
            let key = try CryptoKey.privateKey(entry.content)
            guard let match = found.first, match.privateKey === entry.content else {
                lonely.append(.key(key, label: entry.friendlyName))
                continue
            }
            found.removeFirst()
            identities.append(
                Identity(
                    certificate: match.certificate, key: key, label: match.friendlyName,
                    keyIdentifier: entry.localIdentifier ?? entry.content.publicKey.hash, chain: match.chain))
        }
        self.identities = identities
        lonelyKeys = lonely
        certificates = file.certificates
    }

    /// The identities, the certificates that are no part of one, and the keys that have none.
    var items: [ImportedItem] {
        let taken = Set(identities.map(\.certificate))
        let others = certificates.filter { !taken.contains($0.content) }
        return identities.map { .identity($0.certificate, $0.key, label: $0.label) }
            + others.map { .certificate($0.content, label: $0.friendlyName) } + lonelyKeys
    }
}
