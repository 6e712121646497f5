// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

extension Certificate {
    /// What an item of it says of it, but for the label (semantics §11.2).
    package var itemAttributes: AttributeList {
        var attributes = AttributeList(reservingCapacity: 8)
        attributes.append(unchecked: .certificateType, .number(Int64(version)))
        attributes.append(unchecked: .certificateEncoding, .number(Self.derEncoding))
        attributes.append(unchecked: .subject, .data(subject.normalizedContent))
        attributes.append(unchecked: .issuer, .data(issuer.normalizedContent))
        attributes.append(unchecked: .serialNumber, .data(serialNumber))
        if let identifier = subjectKeyIdentifier { attributes.append(unchecked: .subjectKeyID, .data(identifier)) }
        attributes.append(unchecked: .publicKeyHash, .data(publicKey.hash))
        return attributes
    }

    /// The attributes that `itemAttributes` may have: what an item says under these it says of its certificate.
    package static let ownAttributes: [Attribute] = [
        .certificateType, .certificateEncoding, .subject, .issuer, .serialNumber, .subjectKeyID, .publicKeyHash,
    ]

    /// `kSecAttrCertificateEncodingDER` (decision D45).
    private static let derEncoding: Int64 = 3
}
