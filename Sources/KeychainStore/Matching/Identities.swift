// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthorization
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite

/// How an operation finds identities: a certificate and the private key of its public one, wherever both are in the
/// keychain (semantics §3.9).
struct Identities {
    let rows: RowAccess

    /// The rows of both halves of an identity.
    struct Pair: Hashable {
        let certificate: Int64
        let key: Int64
    }

    /// Finds identities, all of them as they were at one moment.
    func find(_ authorized: Authorized<MatchRequest>, _ wanted: Wanted) throws(StoreError) -> [Found] {
        try atOneMoment { () throws(StoreError) in
            let request = authorized.request
            let selections = IdentitySelection.all(for: request.predicate, authorized)
            var found: [(pair: Pair, identity: Found)] = []
            var seen: Set<Pair> = []
            // Without references the one look yields its pairs in order, and the limit ends it.
            let enough = selections.count == 1 ? request.limit.count : Int.max
            for selection in selections {
                try forEachPair(selection) { (pair) throws(StoreError) in
                    guard seen.insert(pair).inserted, try isIdentity(pair, selection),
                        let identity = try identity(pair, selection, wanted)
                    else { return true }
                    found.append((pair, identity))
                    return found.count < enough
                }
            }
            guard !found.isEmpty else { throw .notFound }
            found.sort { ($0.pair.certificate, $0.pair.key) < ($1.pair.certificate, $1.pair.key) }
            return found.prefix(request.limit.count).map(\.identity)
        }
    }

    private func identity(
        _ pair: Pair, _ selection: IdentitySelection, _ wanted: Wanted
    ) throws(StoreError) -> Found? {
        // The data of an identity is its key's.
        guard let certificate = try half(pair.certificate, selection.certificate, wanted.withoutData),
            let key = try half(pair.key, selection.key, wanted)
        else { return nil }
        return .identity(certificate: certificate, key: key)
    }

    private func half(_ rowID: Int64, _ selection: Selection, _ wanted: Wanted) throws(StoreError) -> FoundItem? {
        try rows.withRow(rowID, selection.table) { (row) throws(StoreError) in
            guard let opened = try unsafe rows.opened(row, selection) else { return nil }
            return try unsafe rows.foundItem(row, opened, selection, wanted)
        } ?? nil
    }

    /// Whether two rows are an identity that a look asks for: the columns only proposed it.
    func isIdentity(_ pair: Pair, _ selection: IdentitySelection) throws(StoreError) -> Bool {
        guard let certificate = try record(pair.certificate, selection.certificate),
            let key = try record(pair.key, selection.key)
        else { return false }
        guard let hash = certificate[.publicKeyHash], key[.applicationLabel]?.hasSameComparisonBytes(as: hash) == true
        else {
            // The columns said yes and the seals say no, so the columns were changed from outside.
            rows.notes.damagedRows += 1
            return false
        }
        return selection.either.entries.allSatisfy { entry in
            certificate[entry.attribute] == entry.value || key[entry.attribute] == entry.value
        }
    }

    private func record(_ rowID: Int64, _ selection: Selection) throws(StoreError) -> AttributeList? {
        try rows.withRow(rowID, selection.table) { (row) throws(StoreError) in
            unsafe try rows.opened(row, selection)?.record
        } ?? nil
    }

    /// The pairs of rows that a look finds; their seals were not looked at yet.
    func pairs(_ selection: IdentitySelection) throws(StoreError) -> [Pair] {
        var pairs: [Pair] = []
        try forEachPair(selection) { (pair) throws(StoreError) in
            pairs.append(pair)
            return true
        }
        return pairs
    }

    /// Visits the pairs of rows that a look finds, until `visit` says false.
    private func forEachPair(
        _ selection: IdentitySelection, _ visit: (Pair) throws(StoreError) -> Bool
    ) throws(StoreError) {
        guard !selection.isImpossible else { return }
        let statement = try rows.connection.statements.join(selection.shape)
        try statement.bindingPlaceholders { (placeholders) throws(StoreError) in
            try selection.bind(to: &placeholders, sealer: rows.connection.sealer)
        }
        defer { statement.reset() }
        while try statement.nextRow() {
            let pair = Pair(certificate: statement.int64(0), key: statement.int64(1))
            guard try visit(pair) else { return }
        }
    }

    /// Runs a reading of several statements on one state of the database.
    private func atOneMoment<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        let sqlite = rows.connection.sqlite
        try translating { () throws(SQLiteError) in try sqlite.beginReading() }
        // Nothing was written that could be lost.
        defer { sqlite.rollback() }
        _ = try translating { () throws(SQLiteError) in try sqlite.userVersion() }
        try rows.connection.checkKeybag()
        return try body()
    }
}

/// A predicate about identities, as one about certificates and one about their private keys (semantics §3.9).
struct IdentitySelection {
    let certificate: Selection
    let key: Selection
    /// Whether the query asks for what no identity is.
    let isImpossible: Bool
    /// What either of the halves has to have: results show the certificate's (decision D13).
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
        // A public key with the same label is not part of an identity, whatever the query says.
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

    /// The looks that answer a predicate about identities: one, or one for each identity that is named.
    static func all<Request>(
        for predicate: ItemPredicate, _ authorized: Authorized<Request>
    ) -> [IdentitySelection] {
        let scope = authorized.scope
        let reach = authorized.reach
        guard case .items(let designations) = predicate.restriction else {
            return [IdentitySelection(predicate, scope: scope, reach: reach)]
        }
        return designations.compactMap { designation in
            switch designation {
            case .persistent(.identity(let id)):
                return IdentitySelection(predicate, scope: scope, reach: reach, id: id)
            case .identity(let certificate, let key):
                return IdentitySelection(predicate, scope: scope, reach: reach, own: (certificate, key))
            case .persistent, .content: return nil
            }
        }
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

    /// Binds the values of the statement's placeholders, in the order in which `Shape.sql` names them.
    func bind(to placeholders: inout Placeholders, sealer: ItemSealer) throws(StoreError) {
        try certificate.bind(to: &placeholders, sealer: sealer)
        try key.bind(to: &placeholders, sealer: sealer)
    }
}
