// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import Security

/// What a row does with backups: `SecItem` has no call for that, so these are the requests that `llavero backup` and
/// `llavero restore` make.
enum BackupStep: Sendable {
    /// The items that a backup would have now.
    case make
    /// Puts them back: merged, or with `replaces` so that the keychain is what it was.
    case restore(VectorValue, replaces: Bool)

    /// nil for an operation of another kind.
    init?(_ name: String, _ fields: inout VectorFields, at place: String) throws {
        switch name {
        case "backup": self = .make
        case "restore":
            let backup = try VectorValue(try fields.require("backup"), at: place)
            self = .restore(backup, replaces: try fields.boolean("replaces"))
        default: return nil
        }
    }
}

/// An item of a backup that a row has saved.
private final class SavedItem: NSObject {
    let item: FoundItem
    init(_ item: FoundItem) { self.item = item }
}

extension SwiftAPIWayIn {
    func makeBackup() -> Reply {
        answering { (session) throws(KeychainError) in
            var items: [SavedItem] = []
            for itemClass in ItemClass.allCases {
                let predicate = ItemPredicate(
                    queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
                    synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
                let request = MatchRequest(
                    predicate: predicate, returning: [.attributes, .data, .persistentReference], limit: .all)
                do throws(KeychainError) {
                    for case .item(let item) in try session.match(request) { items.append(SavedItem(item)) }
                } catch {
                    guard error.reason == .itemNotFound else { throw error }
                }
            }
            return NSArray(array: items)
        }
    }

    func restore(_ backup: AnyObject, replaces: Bool) -> Reply {
        answering { (session) throws(KeychainError) in
            let items = ((backup as? NSArray) ?? []).compactMap { ($0 as? SavedItem)?.item }
            let request = RestoreRequest(items: items, replaces: replaces, isWhole: true, isRehearsal: false)
            guard case .restored(let outcomes, let removed) = try session.perform(.restore(request)) else { return nil }
            var counts = ["removed": removed.count]
            for (outcome, name) in [
                (RestoreOutcome.added, "added"), (.changed, "changed"), (.kept, "kept"), (.same, "same"),
                (.refused, "refused"),
            ] {
                // What stays removed is kept as it is, too.
                counts[name] = outcomes.count { $0 == outcome || outcome == .kept && $0 == .staysRemoved }
            }
            return NSDictionary(dictionary: counts.filter { $0.value > 0 })
        }
    }

    private func answering(_ body: (any KeychainSession) throws(KeychainError) -> AnyObject?) -> Reply {
        keychain.use {
            do throws(KeychainError) {
                return Reply(status: errSecSuccess, result: try body(try CurrentKeychain.host().session()))
            } catch {
                return Reply(status: SecurityStatus(error.reason).number, explanation: error.description)
            }
        }
    }
}
