// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest
package import KeychainSync

/// What a machine does that its circle told to destroy something.
package enum CircleErasure {
    /// What says that something was destroyed.
    ///
    /// It is signed before, for afterwards there is no key to sign with, and left on the server behind that, or it would say what is
    /// not so. A daemon's thread alone, which goes with its keychain, leaves that one before.
    package struct Receipt: Sendable {
        private let circle: CircleID
        private let signed: [UInt8]

        /// nil where none can be signed, which is no reason to keep what is to be destroyed.
        package init?(_ circle: LocalCircle, _ erasure: Erasure, now: Double) {
            self.circle = circle.state.log.circle
            do throws(CircleError) {
                signed = try ErasureReceipt(
                    circle: self.circle, device: circle.device.card.id(), erasure, now: now
                )
                .signed(by: circle.device)
            } catch { return nil }
        }

        /// False where the server does not take it.
        package func leave(on server: any CircleTransport) -> Bool {
            do throws(CircleFailure) {
                var mail = try CircleMail(receiptsOf: circle, on: server)
                try mail.post(signed)
                return true
            } catch { return false }
        }
    }

    /// Those that lie on the server, as far as members or former ones signed them, oldest first.
    package static func receipts(
        of log: CircleLog, on server: any CircleTransport
    ) throws(CircleFailure) -> [ErasureReceipt] {
        var mail = try CircleMail(receiptsOf: log.circle, on: server)
        return try mail.next().compactMap { try? ErasureReceipt(decoding: $0, in: log.membership) }
    }

    /// Destroys the items that went to other machines, with what there was of them before.
    ///
    /// Through the session goes what may reach all groups.
    package static func destroyItems(through items: any KeychainSession) throws(KeychainError) {
        for itemClass in passwordClasses {
            let predicate = ItemPredicate(
                queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
                synchronizable: .only(true), tombstones: false, accessibility: nil, restriction: .none, filters: [])
            do throws(KeychainError) {
                let found = try items.match(
                    MatchRequest(predicate: predicate, returning: .persistentReference, limit: .all))
                try items.delete(DeleteRequest(predicate: predicate, tombstones: .never))
                // Their earlier versions go as well, the last of which the deletion made.
                for reference in found.compactMap(\.persistentReference) { _ = try items.perform(.forget(reference)) }
            } catch { guard error.reason == .itemNotFound else { throw error } }
        }
        try forgetRemoved(through: items)
    }

    /// Has the earlier versions go of those that were removed before, and those of people's passwords that were: one that a machine has
    /// twice goes when the shared one says the same, so its secret may be the circle's.
    private static func forgetRemoved(through items: any KeychainSession) throws(KeychainError) {
        var (references, last): (Set<PersistentReference>, Int64?) = ([], nil)
        do throws(KeychainError) {
            let here = try passwordsHere(through: items)
            while case .past(let versions) = try items.perform(.history(of: nil, before: last)), let end = versions.last
            {
                for version in versions {
                    let reference = PersistentReference.item(version.item.itemClass, version.item.persistentID)
                    let wasShared = version.item.attributes?[.synchronizable] == .number(1)
                    let isOfPeople = version.item.attributes?[.accessGroup] == .string(AccessGroup.passwords.name)
                    if wasShared || isOfPeople && !here.contains(reference) { references.insert(reference) }
                }
                last = end.number
            }
        } catch {
            // What is locked does not say what it is, and does not wait for whoever has the machine to open it.
            guard error.reason == .interactionNotAllowed else { throw error }
        }
        for reference in references { _ = try items.perform(.forget(reference)) }
    }

    private static func passwordsHere(
        through items: any KeychainSession
    ) throws(KeychainError) -> Set<PersistentReference> {
        var here: Set<PersistentReference> = []
        for itemClass in passwordClasses {
            let predicate = ItemPredicate(
                queriedClass: .stored(itemClass), attributes: AttributeList(),
                groups: .named(AccessGroup.passwords.name),
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
            do throws(KeychainError) {
                let found = try items.match(
                    MatchRequest(predicate: predicate, returning: .persistentReference, limit: .all))
                here.formUnion(found.compactMap(\.persistentReference))
            } catch { guard error.reason == .itemNotFound else { throw error } }
        }
        return here
    }

    private static let passwordClasses = [ItemClass.genericPassword, .internetPassword]
}
