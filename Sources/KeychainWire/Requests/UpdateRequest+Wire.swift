// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Checked here beside the predicate: the changes are ones that items of the class take, and nobody is passed over.
///
/// Of an identity both halves change, so both have to know what does, and they have no data in common.
extension UpdateRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(predicate: try fields.next(), changes: try fields.next(), tombstones: try fields.next())
        authentication = try fields.next()
        try predicate.checkIsForChange()
        try changes.check(for: predicate.queriedClass)
        try authentication.checkIsForChange()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(predicate)
        try writer.write(changes)
        try writer.write(tombstones)
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
