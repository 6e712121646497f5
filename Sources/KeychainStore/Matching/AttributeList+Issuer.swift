// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainModel

extension AttributeList {
    /// Brings an issuer that is a whole name (a SEQUENCE in DER) into the form that is stored and compared; other data is
    /// taken as it is (semantics §1.2).
    mutating func normalizeIssuer() {
        guard case .data(let bytes)? = self[.issuer], let name = DistinguishedName(der: bytes) else { return }
        self[.issuer] = .data(name.normalizedContent)
    }
}
