// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel

extension Item {
    /// The attributes that are sealed: those callers see, the sync identity, and the access control if it has rules.
    ///
    /// Throws `unencodable`: an item whose rules cannot be written down is not written without them.
    func record() throws(SealingError) -> AttributeList {
        var record = attributes
        record.append(unchecked: .syncIdentifier, .data(syncID.bytes))
        if accessControl.rules != nil {
            do throws(CodingError) {
                record.append(unchecked: .accessControl, .data(try AccessControlCoding.encode(accessControl)))
            } catch { throw .unencodable }
        }
        return record
    }

    /// Reads what `record` wrote; nil when it contradicts itself or the row it was found in.
    init?(record: AttributeList, itemClass: ItemClass, id: PersistentID, accessibility: Accessibility) {
        guard case .data(let syncBytes)? = record[.syncIdentifier], let syncID = PersistentID(syncBytes),
            record[.accessible] == .string(accessibility.name)
        else { return nil }
        var attributes = record
        attributes[.syncIdentifier] = nil
        var accessControl = AccessControl(protection: accessibility)
        if let stored = record[.accessControl] {
            guard let constrained = AccessControl(stored, accessibility) else { return nil }
            accessControl = constrained
            attributes[.accessControl] = nil
        }
        self.init(
            itemClass: itemClass, id: id, syncID: syncID, attributes: attributes, accessControl: accessControl,
            secret: nil)
    }
}

extension AccessControl {
    /// The access control in a record; a number is the flags of one that earlier software stored.
    fileprivate init?(_ value: AttributeValue, _ accessibility: Accessibility) {
        switch value {
        case .data(let bytes):
            guard let control = try? AccessControlCoding.decode(bytes), control.protection == accessibility else {
                return nil
            }
            self = control
        case .number(let number):
            self.init(protection: accessibility, flags: AccessFlags(rawValue: UInt64(bitPattern: number)))
        case .string, .date: return nil
        }
    }
}
