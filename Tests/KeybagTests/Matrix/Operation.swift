// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// What a program can do about an item of a class, and what shows afterwards whether it happened.
enum Operation: String, Sendable, CaseIterable {
    case add
    case addExisting
    case findData
    case findAttributes
    case findPersistentReference
    case findNothing
    case findByPersistentReference
    case findNotExisting
    case update
    case updateNotExisting
    case deletePlain
    case deleteLeavingTombstone
    case deleteNotExisting

    /// An item that stays on its device is never synchronizable, so it leaves no tombstone.
    func isPossible(for protection: Protection) -> Bool {
        self != .deleteLeavingTombstone || !protection.isThisDeviceOnly
    }
}

/// The items of one class that the operations are about.
struct MatrixItems {
    let new: TestItem
    let kept: TestItem
    let doomed: TestItem
    let buried: TestItem
    let missing: TestItem

    /// Where the kept one can be found, once it is there.
    private(set) var reference: Data?

    init(_ protection: Protection) {
        new = TestItem("new", protection)
        kept = TestItem("kept", protection)
        doomed = TestItem("doomed", protection)
        buried = TestItem("buried", protection, synchronizable: true)
        missing = TestItem("missing", protection)
    }

    /// The statuses of adding those that are there from the beginning.
    mutating func store(with program: Program) -> Set<OSStatus> {
        var items = [kept, doomed]
        if !kept.protection.isThisDeviceOnly { items.append(buried) }
        let statuses = Set(items.map(program.add))
        reference = program.find(kept.key, kSecReturnPersistentRef).result as? Data
        return statuses
    }

    func status(of operation: Operation, by program: Program) -> OSStatus {
        switch operation {
        case .add: program.add(new)
        case .addExisting: program.add(kept)
        case .findData: program.find(kept)
        case .findAttributes: program.find(kept.key, kSecReturnAttributes).status
        case .findPersistentReference: program.find(kept.key, kSecReturnPersistentRef).status
        case .findNothing: program.find(kept.key).status
        case .findByPersistentReference:
            program.find([kSecValuePersistentRef as String: reference ?? MatrixItems.nobody], kSecReturnData).status
        case .findNotExisting: program.find(missing)
        case .update: program.update(kept, label: "updated")
        case .updateNotExisting: program.update(missing, label: "updated")
        case .deletePlain: program.delete(doomed)
        case .deleteLeavingTombstone: program.delete(buried)
        case .deleteNotExisting: program.delete(missing)
        }
    }

    /// A reference that no item ever had.
    private static let nobody = Data("genp".utf8) + Data(repeating: 7, count: 16)

    /// What an unlocked program sees of an operation that did all it should, or nothing at all.
    func trace(of operation: Operation, with program: Program) -> Bool? {
        switch operation {
        case .add: program.find(new) == errSecSuccess
        case .update:
            (program.find(kept.key, kSecReturnAttributes).result as? NSDictionary)?[kSecAttrLabel as String] as? String
                == "updated"
        case .deletePlain: program.find(doomed) == errSecItemNotFound
        case .deleteLeavingTombstone: isBuried(program)
        default: nil
        }
    }

    /// True with its tombstone alone, false with the item alone.
    private func isBuried(_ program: Program) -> Bool? {
        let tombstone = buried.key.merging(["tomb": true]) { $1 }
        switch (program.find(buried), program.find(tombstone).status) {
        case (errSecItemNotFound, errSecSuccess): return true
        case (errSecSuccess, errSecItemNotFound): return false
        default: return nil
        }
    }
}
