// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Checked here, because the store writes what it gets:
/// - attributes are each there once, known to the class, of a value that they take, none of those that have a field of
///   their own, and no token is named: only the engine says that a key is the enclave's;
/// - nobody says that an enclave made the bytes: the engine would later hand them to the enclave as its own key;
/// - what is synchronizable has no access control flags (`SynchronizableRule`);
/// - nobody is passed over;
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

/// An item among others, whose own terms nobody looks at.
struct AddedItem: WireStructure {
    let request: AddRequest

    init(_ request: AddRequest) { self.request = request }

    init(parts fields: inout WireFields) throws(WireError) { request = try AddRequest.item(&fields) }

    func writeParts(to writer: inout WireWriter) throws(WireError) { try request.writeItem(to: &writer) }
}
