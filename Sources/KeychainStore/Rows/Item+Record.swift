// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

extension Item {
    /// The attributes that are sealed: those callers see, the sync identity, and the access control if it has flags.
    var record: AttributeList {
        var record = attributes
        record.append(unchecked: .syncIdentifier, .data(syncID.bytes))
        if case .flags(let flags) = accessControl.operations {
            record.append(unchecked: .accessControl, .number(Int64(bitPattern: flags.rawValue)))
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
        if let flags = record[.accessControl] {
            guard case .number(let number) = flags,
                let constrained = AccessControl(
                    protection: accessibility, flags: AccessControl.Flags(rawValue: UInt64(bitPattern: number)))
            else { return nil }
            accessControl = constrained
            attributes[.accessControl] = nil
        }
        self.init(
            itemClass: itemClass, id: id, syncID: syncID, attributes: attributes, accessControl: accessControl,
            secret: nil)
    }
}
