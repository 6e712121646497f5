// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest

/// A predicate about identities, as one about certificates and one about their private keys (semantics §3.9).
struct IdentitySelection {
    let certificate: Selection
    let key: Selection
    /// Whether the query asks for what no identity is.
    let isImpossible: Bool
    /// What one of the halves has to have, whichever: results show the certificate's (decision D13).
    let either: AttributeList

    /// What a certificate knows and a key too, and what of these is the certificate's in a query for identities.
    private static let sharedOfCertificate: Set<Attribute> = [.label, .tokenID]
    private static let ofEither: Set<Attribute> = [.accessible, .creationDate, .modificationDate, .alias]

    /// A group that is named is the key's.
    ///
    /// `id` is the certificate's; `own` is what a reference says of both halves.
    init(
        _ predicate: ItemPredicate, scope: GroupFilter, reach: GroupFilter, id: PersistentID? = nil,
        own: (certificate: AttributeList, key: AttributeList)? = nil
    ) {
        var ofCertificate = predicate
        var ofKey = predicate
        ofCertificate.queriedClass = .stored(.certificate)
        ofKey.queriedClass = .stored(.key)
        ofCertificate.attributes = own?.certificate ?? AttributeList()
        ofKey.attributes = own?.key ?? AttributeList()
        var either = AttributeList()
        if let accessibility = predicate.accessibility { either[.accessible] = .string(accessibility.name) }
        for entry in predicate.attributes.entries {
            if Self.ofEither.contains(entry.attribute) {
                either[entry.attribute] = entry.value
            } else if Self.isOfCertificate(entry.attribute) {
                ofCertificate.attributes[entry.attribute] = entry.value
            } else {
                ofKey.attributes[entry.attribute] = entry.value
            }
        }
        // A public key with the same label is none of an identity, whatever the query says.
        isImpossible = ofKey.attributes[.keyClass].map { $0 != .number(1) } ?? false
        ofKey.attributes[.keyClass] = .number(1)
        ofCertificate.synchronizable = .any
        ofCertificate.tombstones = false
        ofCertificate.accessibility = nil
        ofKey.accessibility = nil
        self.either = either
        ofCertificate.filters = predicate.filters.filter { Self.isOfCertificate($0) }
        ofKey.filters = predicate.filters.filter { !Self.isOfCertificate($0) }
        certificate = Selection(
            predicate: ofCertificate, table: ItemTable.of(.certificate), scope: reach, id: id)
        key = Selection(predicate: ofKey, table: ItemTable.of(.key), scope: scope, id: nil)
    }

    private static func isOfCertificate(_ attribute: Attribute) -> Bool {
        sharedOfCertificate.contains(attribute) || !attribute.isKnown(to: .key)
    }

    private static func isOfCertificate(_ filter: MatchFilter) -> Bool {
        switch filter {
        case .certificate: true
        case .text(let attribute, _): isOfCertificate(attribute)
        case .hostOrSubdomain, .keyValid: false
        }
    }

    /// The conditions without their values.
    struct Shape: Hashable {
        let certificate: QueryShape
        let key: QueryShape

        /// Pairs of row numbers, in the order in which the certificates were stored.
        var sql: String {
            "select c.rowid, k.rowid from cert c join keys k on k.klbl = c.pkhh where c.pkhh <> x'' and "
                + certificate.conditions(of: "c.") + " and " + key.conditions(of: "k.") + " order by c.rowid, k.rowid"
        }
    }

    var shape: Shape { Shape(certificate: certificate.shape, key: key.shape) }

    func values(bench: SealingBench) throws(SealingError) -> [ColumnValue] {
        try certificate.values(bench: bench) + key.values(bench: bench)
    }
}
