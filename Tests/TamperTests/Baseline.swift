// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a class held before somebody tampered with it.
struct Baseline {
    let itemClass: String
    let items: [NSDictionary]
    /// Earlier versions, whose attributes were once true.
    ///
    /// Attributes are read without the secret, so that an old half of a blob may pass as long as nobody asks for it.
    private let past: [NSDictionary]

    init(_ place: TamperedKeychain, _ itemClass: String) {
        self.itemClass = itemClass
        items = place.everything(of: itemClass)
        past = []
    }

    /// The present state of a class whose items had other attributes before.
    init(_ place: TamperedKeychain, after earlier: Baseline) {
        itemClass = earlier.itemClass
        items = place.everything(of: itemClass)
        past = earlier.items
    }

    /// What is wrong with what a program gets now: an item that never was, or one that was not asked for.
    ///
    /// Asks for everything, for each reference, and for both values of `key`, with and without the secrets.
    func troubles(_ place: TamperedKeychain, asking key: String? = nil) -> [String] {
        var troubles: [String] = []
        for found in place.everything(of: itemClass) where !items.contains(found) {
            troubles.append("an item that never was: \(found["labl"] ?? "without a label")")
        }
        let bare = (items + past).map { Self.without($0) }
        for found in place.everything(of: itemClass, data: false) where !bare.contains(Self.without(found)) {
            troubles.append("attributes that never were: \(found["labl"] ?? "no label")")
        }
        for item in items {
            for wanted in [key, "v_PersistentRef"] {
                guard let wanted, let value = item[wanted] else { continue }
                for isTombstone in [false, true] {
                    var query: [String: Any] = ["class": itemClass, "sync": "syna", "tomb": isTombstone]
                    query[wanted] = value
                    for found in place.find(query).items
                    where !items.contains(found) || !(found[wanted] as? NSObject == value as? NSObject) {
                        troubles.append("asked by \(wanted), got another")
                    }
                }
            }
        }
        return troubles
    }

    /// An item without its secret and the digest, which goes only to those who see the secret.
    private static func without(_ item: NSDictionary) -> NSDictionary {
        var item = item as? [String: Any] ?? [:]
        item["v_Data"] = nil
        item["sha1"] = nil
        return item as NSDictionary
    }
}
