// SPDX-License-Identifier: Apache-2.0

/// What a PKCS#12 file holds.
package struct PKCS12: Sendable {
    /// A key or a certificate, with what the file says about it.
    package struct Entry<Content: Sendable>: Sendable {
        package let content: Content
        package let friendlyName: String?
        /// By which a key and its certificate find each other.
        package let localIdentifier: [UInt8]?

        package init(_ content: Content, friendlyName: String? = nil, localIdentifier: [UInt8]? = nil) {
            self.content = content
            self.friendlyName = friendlyName
            self.localIdentifier = localIdentifier
        }
    }

    /// A key and the certificate of its public half.
    package struct Identity: Sendable {
        package let privateKey: PrivateKey
        package let certificate: Certificate
        package let friendlyName: String?
        /// From the certificate towards its root, as far as the file has them.
        package let chain: [Certificate]
    }

    package var keys: [Entry<PrivateKey>]
    package var certificates: [Entry<Certificate>]

    package init(keys: [Entry<PrivateKey>] = [], certificates: [Entry<Certificate>] = []) {
        self.keys = keys
        self.certificates = certificates
    }

    /// The keys that have their certificate in the file, in the order of the keys.
    ///
    /// A certificate is a key's when it has its public key, whatever the identifiers say; of several, the one with the
    /// same identifier, else the first.
    package var identities: [Identity] {
        keys.compactMap { key in
            let matching = certificates.filter {
                $0.content.publicKey.externalBytes == key.content.publicKey.externalBytes
            }
            let named = matching.first { $0.localIdentifier != nil && $0.localIdentifier == key.localIdentifier }
            guard let entry = named ?? matching.first else { return nil }
            return Identity(
                privateKey: key.content, certificate: entry.content,
                friendlyName: key.friendlyName ?? entry.friendlyName, chain: chain(from: entry.content))
        }
    }

    private func chain(from certificate: Certificate) -> [Certificate] {
        var chain = [certificate]
        while let last = chain.last, !last.isSelfIssued,
            let issuer = certificates.first(where: { entry in
                entry.content.subject.normalizedContent == last.issuer.normalizedContent
                    && !chain.contains(entry.content)
            })
        {
            chain.append(issuer.content)
        }
        return chain
    }
}
