// SPDX-License-Identifier: Apache-2.0

package import KeychainCertificates
package import KeychainKeys

/// What a PKCS#12 file holds, with its keys as this module has them.
package struct PKCS12Contents {
    package struct Identity {
        package let certificate: Certificate
        package let key: CryptoKey
        package let label: String?
        package let keyIdentifier: [UInt8]
        /// From the certificate towards its root.
        package let chain: [Certificate]
    }

    package let identities: [Identity]
    /// Every certificate of the file, in its order.
    package let certificates: [PKCS12.Entry<Certificate>]
    private let lonelyKeys: [FileItem]

    package init(_ der: [UInt8], _ passphrase: Passphrase) throws(ExchangeFailure) {
        let file = try ExchangeFailure.translating(wrong: .verification) { () throws(ExchangeError) in
            try PKCS12(reading: der, password: passphrase.bytes)
        }
        var identities: [Identity] = []
        var lonely: [FileItem] = []
        // They stand in the order of the keys.
        var found = file.identities[...]
        for entry in file.keys {
            let key = try CryptoKey.privateKey(entry.content)
            guard let match = found.first, match.privateKey === entry.content else {
                lonely.append(.key(key, label: entry.friendlyName))
                continue
            }
            found.removeFirst()
            // Some programs write a key and its certificate twice; it is one identity all the same.
            guard !identities.contains(where: { $0.certificate == match.certificate }) else { continue }
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
    var items: [FileItem] {
        let taken = Set(identities.map(\.certificate))
        let others = certificates.filter { !taken.contains($0.content) }
        return identities.map { .identity($0.certificate, $0.key, label: $0.label) }
            + others.map { .certificate($0.content, label: $0.friendlyName) } + lonelyKeys
    }
}
