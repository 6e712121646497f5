// SPDX-License-Identifier: Apache-2.0

internal import KeychainBackup
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore
internal import KeychainTools

/// The return of items that a repair could not save, from the snapshots that have them.
///
/// Just those items are put back, as a restore that merges puts them back: what the repair saved stays as it is.
struct SnapshotReturn {
    /// One item that is there again, as it was on that day.
    struct Returned {
        let name: String
        let snapshot: KeychainSnapshot
    }

    private(set) var returned: [PersistentID: Returned] = [:]

    /// Takes each from the newest snapshot that has it; where a snapshot cannot be read, the others may do.
    init(of lost: [LostItem], to keychain: ToolKeychain) throws(CommandError) {
        var missing = Set(lost.compactMap(\.id))
        guard !missing.isEmpty, let snapshots = Snapshots(of: keychain) else { return }
        let secrets = try keychain.backupSecrets()
        for snapshot in snapshots.opening(with: secrets) where !missing.isEmpty {
            var items: [FoundItem] = []
            do throws(CommandError) {
                try snapshot.contents(with: secrets) { item in
                    if missing.contains(item.id), let found = item.found { items.append(found) }
                }
            } catch { continue }
            while !items.isEmpty {
                let part = Array(items.prefix(SnapshotReturn.atOnce))
                items.removeFirst(part.count)
                try put(part, from: snapshot, into: keychain, &missing)
            }
        }
    }

    private mutating func put(
        _ items: [FoundItem], from snapshot: KeychainSnapshot, into keychain: ToolKeychain,
        _ missing: inout Set<PersistentID>
    ) throws(CommandError) {
        let request = RestoreRequest(items: items, replaces: false, isWhole: false, isRehearsal: false)
        guard case .restored(let outcomes, _) = try keychain.perform(.restore(request), of: .everybody),
            outcomes.count == items.count
        else { throw ToolKeychain.otherReply }
        for (item, outcome) in zip(items, outcomes) where outcome == .added {
            missing.remove(item.persistentID)
            let name = ToolItem(.item(item), in: keychain, of: .everybody)?.title ?? "an item"
            returned[item.persistentID] = Returned(name: name, snapshot: snapshot)
        }
    }

    /// So few that large ones, too, are one request.
    private static let atOnce = 16
}
