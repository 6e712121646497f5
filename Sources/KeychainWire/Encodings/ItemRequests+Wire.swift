// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// What a query may be is the predicate's to check, and what a limit may be is the limit's.
extension MatchRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(predicate: try fields.next(), returning: try fields.next(), limit: try fields.next())
        authentication = try fields.next()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(predicate)
        try writer.write(returning)
        try writer.write(limit)
        try writer.write(authentication)
    }
}

/// Checked here: the request is one that has parts (`MatchPageRequest`).
extension MatchPageRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let (match, start): (MatchRequest, MatchPosition?) = (try fields.next(), try fields.next())
        guard let request = MatchPageRequest(match, from: start, in: try fields.next()) else { throw .contradiction }
        self = request
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(match)
        try writer.write(start)
        try writer.write(view)
    }
}

extension ViewID: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> ViewID { ViewID(try fields.number()) }
    func write(to writer: inout WireWriter) throws(WireError) { writer.number(number) }
}

/// Any number of a row: a program that makes one up gets the rows behind it that it may see.
extension MatchPosition: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        guard let keychain = KeychainUUID(try fields.data(atMost: 16)) else { throw .outOfRange }
        self.init(in: keychain, row: try fields.number())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.data(keychain.bytes)
        writer.number(row)
    }
}

/// Checked here, because the store writes what it gets:
/// - attributes are each there once, known to the class, of a value that they take, none of those that have a field of
///   their own, and no token is named: only the engine says that a key is the enclave's;
/// - no message says that an enclave made the bytes: the engine would later hand them to the enclave as its own key;
/// - what is synchronizable has no access control flags (`SynchronizableRule`);
/// - items that require a prompt cannot be skipped;
/// - what was just stored is not asked for as damaged.
extension AddRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let item: AddRequest = try AddRequest.item(&fields)
        self = item
        token = try fields.next()
        authentication = try fields.next()
        try authentication.checkIsForChange()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writeItem(to: &writer)
        try writer.write(token)
        try writer.write(authentication)
    }

    /// What is to be stored, without how what it demands may be met: among several, only the whole request says that.
    fileprivate static func item(_ fields: inout WireFields) throws(WireError) -> AddRequest {
        let request = AddRequest(
            itemClass: try fields.next(), attributes: try fields.next(), group: try fields.next(),
            protection: try fields.next(), isSynchronizable: try fields.next(), isTombstone: try fields.next(),
            secret: try fields.next(), returning: try fields.next(), origin: try fields.next())
        try request.attributes.check(for: .stored(request.itemClass))
        guard !request.returning.contains(.damaged) else { throw .contradiction }
        if let token = request.attributes[.tokenID], token != .emptyString { throw .contradiction }
        if request.isSynchronizable { try checkIsSynchronizable(request.protection.accessControl) }
        return request
    }

    fileprivate func writeItem(to writer: inout WireWriter) throws(WireError) {
        try writer.write(itemClass)
        try writer.write(attributes)
        try writer.write(group)
        try writer.write(protection)
        try writer.write(isSynchronizable)
        try writer.write(isTombstone)
        try writer.write(secret)
        try writer.write(returning)
        try writer.write(origin)
    }

    static func checkIsSynchronizable(_ control: AccessControl?) throws(WireError) {
        do throws(KeychainError) { try SynchronizableRule.check(control) } catch { throw .contradiction }
    }
}

extension AddRequest.Protection: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> AddRequest.Protection {
        try fields.isNull() ? .byClassAndGroup : .accessControl(try fields.next())
    }

    func write(to writer: inout WireWriter) throws(WireError) { try writer.write(accessControl) }
}

extension AddRequest.Origin: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> AddRequest.Origin {
        try fields.isNull() ? .caller : .stored(try fields.next())
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .caller: writer.null()
        case .stored(let id): try writer.write(id)
        // The engine makes such requests and sends them nowhere.
        case .enclave: throw .unwritable
        }
    }
}

extension AddToken: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let words = (try fields.number(), try fields.number(), try fields.number(), try fields.number())
        self.init(
            UInt64(bitPattern: words.0), UInt64(bitPattern: words.1), UInt64(bitPattern: words.2),
            UInt64(bitPattern: words.3))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        for word in [first, second, third, fourth] { writer.number(Int64(bitPattern: word)) }
    }
}

/// An item among others, whose own terms are not used.
struct AddedItem: WireStructure {
    let request: AddRequest

    init(_ request: AddRequest) { self.request = request }

    init(parts fields: inout WireFields) throws(WireError) { request = try AddRequest.item(&fields) }

    func writeParts(to writer: inout WireWriter) throws(WireError) { try request.writeItem(to: &writer) }
}

/// Checked here: there is something to add, what was just stored is not asked for as damaged, and the halves of an identity are a certificate and a key.
extension AddAllRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(entries: try fields.array(atMost: WireLimits.entries), returning: try fields.next())
        guard !entries.isEmpty, !returning.contains(.damaged) else { throw .contradiction }
        authentication = try fields.next()
        try authentication.checkIsForChange()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.array(entries)
        try writer.write(returning)
        try writer.write(authentication)
    }
}

extension AddAllRequest.Entry: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .item(try AddedItem.read(from: &fields).request)
        case 2:
            let certificate = try AddedItem.read(from: &fields).request
            let key = try AddedItem.read(from: &fields).request
            guard certificate.itemClass == .certificate, key.itemClass == .key else { throw .contradiction }
            self = .identity(certificate: certificate, key: key)
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .item(let item):
            writer.number(1)
            try writer.write(AddedItem(item))
        case .identity(let certificate, let key):
            writer.number(2)
            try writer.write(AddedItem(certificate))
            try writer.write(AddedItem(key))
        }
    }
}

/// Checked here beside the predicate: the changes are ones that items of the class take, and items that require a prompt are not skipped.
///
/// Of an identity both halves change, so both have to know what does, and they have no data in common.
extension UpdateRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self = try UpdateRequest.change(&fields)
        authentication = try fields.next()
        try authentication.checkIsForChange()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writeChange(to: &writer)
        try writer.write(authentication)
    }

    /// What is to be changed, without how what it demands may be met: among several, only the whole request says that.
    fileprivate static func change(_ fields: inout WireFields) throws(WireError) -> UpdateRequest {
        let request = UpdateRequest(
            predicate: try fields.next(), changes: try fields.next(), tombstones: try fields.next())
        try request.predicate.checkIsForChange()
        try request.changes.check(for: request.predicate.queriedClass)
        return request
    }

    fileprivate func writeChange(to writer: inout WireWriter) throws(WireError) {
        try writer.write(predicate)
        try writer.write(changes)
        try writer.write(tombstones)
    }
}

/// A change among others, whose own terms are not used.
struct ChangedItems: WireStructure {
    let request: UpdateRequest

    init(_ request: UpdateRequest) { self.request = request }

    init(parts fields: inout WireFields) throws(WireError) { request = try UpdateRequest.change(&fields) }

    func writeParts(to writer: inout WireWriter) throws(WireError) { try request.writeChange(to: &writer) }
}

/// Checked here: there is something to change, and items that require a prompt are not skipped.
extension UpdateAllRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let changes: [ChangedItems] = try fields.array(atMost: WireLimits.entries)
        guard !changes.isEmpty else { throw .contradiction }
        self.init(changes.map(\.request))
        authentication = try fields.next()
        try authentication.checkIsForChange()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.array(updates.map(ChangedItems.init))
        try writer.write(authentication)
    }
}

extension ItemChanges: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            attributes: try fields.next(), group: try fields.next(), accessControl: try fields.next(),
            isSynchronizable: try fields.next(), secret: try fields.next())
        if isSynchronizable == true { try AddRequest.checkIsSynchronizable(accessControl) }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(attributes)
        try writer.write(group)
        try writer.write(accessControl)
        try writer.write(isSynchronizable)
        try writer.write(secret)
    }

    fileprivate func check(for queriedClass: QueriedClass) throws(WireError) {
        guard queriedClass == .identity else {
            return try attributes.check(for: queriedClass, without: ItemChanges.notTheirs)
        }
        try attributes.check(for: .stored(.certificate), without: ItemChanges.notTheirs)
        try attributes.check(for: .stored(.key), without: ItemChanges.notTheirs)
        guard secret == nil else { throw .contradiction }
    }

    /// What the engine says alone: an item that were given a token would count as a key of the enclave's.
    private static let notTheirs: Set<Attribute> = [.multiUser, .digest, .modificationDate, .tokenID]
}

/// Checked here beside the predicate: items that require a prompt are not skipped.
extension DeleteRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(predicate: try fields.next(), tombstones: try fields.next())
        authentication = try fields.next()
        try predicate.checkIsForChange()
        try authentication.checkIsForChange()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(predicate)
        try writer.write(tombstones)
        try writer.write(authentication)
    }
}

/// Checked here: no bit is set that means nothing.
extension ReturnTypes: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> ReturnTypes {
        ReturnTypes(rawValue: UInt8(try fields.number(in: 0...31)))
    }

    func write(to writer: inout WireWriter) throws(WireError) { writer.number(Int64(rawValue)) }
}

/// Checked here: one and none are not spelled as a number, and no number is negative, which `prefix` would stop at.
extension MatchLimit: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .nothing
        case 2: self = .single
        case 3: self = .atMost(Int(try fields.number(in: 2...Int64.max)))
        case 4: self = .all
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .nothing: writer.number(1)
        case .single: writer.number(2)
        case .atMost(let count):
            writer.number(3)
            writer.number(Int64(count))
        case .all: writer.number(4)
        }
    }
}

extension TombstonePolicy: WireNumbered {
    static let numbered: [TombstonePolicy] = [.whenSynchronizable, .always, .never]

    var wireNumber: Int64 {
        switch self {
        case .whenSynchronizable: 1
        case .always: 2
        case .never: 3
        }
    }
}
