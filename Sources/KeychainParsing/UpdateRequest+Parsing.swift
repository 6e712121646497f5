// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import KeychainModel
package import KeychainRequest

extension UpdateRequest {
    package static func parse(
        query: NSDictionary, attributesToUpdate: NSDictionary
    ) throws(KeychainError) -> UpdateRequest {
        let parsed = try ParsedDictionary(query, for: .finding, taking: .itemList)
        if parsed.useItems != nil {
            throw KeychainError(.parameter, "an Update takes kSecMatchItemList", subject: "u_ItemList")
        }
        try parsed.refuseSkip()
        try parsed.checkConcernsAll()
        try parsed.checkReferenceStandsAlone()
        let predicate = try parsed.predicate()
        try parsed.checkItemsAgree(with: predicate.queriedClass)
        try parsed.checkBothHalvesKnow(predicate)
        let changes = try ItemChanges.parse(attributesToUpdate, for: predicate.queriedClass)
        var request = UpdateRequest(
            predicate: predicate, changes: changes, tombstones: TombstonePolicy(parsed.leavesTombstones))
        request.authentication = parsed.authentication
        return request
    }
}

extension ItemChanges {
    static func parse(
        _ dictionary: NSDictionary, for queriedClass: QueriedClass
    ) throws(KeychainError) -> ItemChanges {
        try refuseForeignKeys(dictionary)
        let parsed = try ParsedDictionary(dictionary, for: .finding, taking: .none, of: queriedClass)
        var attributes = parsed.attributes
        // Ours to set, and part of every dictionary we return (decision D13).
        attributes[.multiUser] = nil
        attributes[.digest] = nil
        attributes[.modificationDate] = nil
        if attributes.contains(.tokenID) {
            throw KeychainError(.parameter, "an item cannot move to another token", subject: "tkid")
        }
        if parsed.tombstone == true {
            throw KeychainError(.parameter, "an item becomes a tombstone by being deleted", subject: "tomb")
        }
        if queriedClass == .identity {
            try attributes.checkBothHalvesKnow()
            guard parsed.secret == nil else {
                throw KeychainError(.parameter, "the halves of an identity have no data in common", subject: "v_Data")
            }
        }
        let isSynchronizable = try parsed.settledSynchronizable()
        let protection = try parsed.protection()
        if isSynchronizable == true { try SynchronizableRule.check(protection) }
        return ItemChanges(
            attributes: attributes, group: parsed.group, accessControl: protection,
            isSynchronizable: isSynchronizable, secret: parsed.secret)
    }

    /// Only attributes and `kSecValueData` can be changed (semantics §3.5, decision D12).
    private static func refuseForeignKeys(_ dictionary: NSDictionary) throws(KeychainError) {
        try DictionaryEntries.forEach(of: dictionary) { (key, _) throws(KeychainError) in
            guard let text = ValueReading.string(key) else { return }
            if text == "class" {
                throw KeychainError(
                    .noSuchAttribute, "the class of an item cannot change; remove kSecClass",
                    subject: "class")
            }
            let isPlain = text.utf8.count == 4 || text == "v_Data"
            if !isPlain { throw QueryKey.unknownAttribute(text) }
        }
    }
}
