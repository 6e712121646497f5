// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// What the keychain returned, beside what the model would have.
enum Comparison {
    /// What one item's result is made of.
    private enum Shape {
        case nothing
        case data([UInt8])
        case reference
        case dictionary(Terms)
    }

    private static func shape(of item: ModelItem, _ wanted: Set<String>) -> Shape {
        if wanted.isEmpty { return .nothing }
        if wanted == ["r_Data"] { return item.secret.map(Shape.data) ?? .nothing }
        if wanted == ["r_PersistentRef"] { return .reference }
        let wantsAttributes = wanted.contains("r_Attributes") || wanted.contains("r_Ref")
        var terms = wantsAttributes ? item.attributes : [:]
        if wanted.contains("r_Data"), let secret = item.secret { terms["v_Data"] = .data(secret) }
        if wanted.contains("r_Ref") { terms["class"] = .text(item.itemClass) }
        return .dictionary(terms)
    }

    /// What differs, or nil; references seen for the first time are handed to `learn`.
    static func trouble(
        _ reply: ModelKeychain.Reply, _ wanted: Set<String>, _ result: AnyObject?, untouched: AnyObject,
        learn: (ModelItem, [UInt8]) -> Bool
    ) -> String? {
        switch reply {
        case .untouched: return result === untouched ? nil : "the result was touched"
        case .one(let item): return trouble(item, wanted, result, learn)
        case .many(let items):
            let shown = items.filter { item in
                if case .nothing = shape(of: item, wanted) { return false }
                return true
            }
            guard let array = result as? NSArray else { return "the result is no array" }
            guard array.count == shown.count else { return "\(array.count) results instead of \(shown.count)" }
            for (index, item) in shown.enumerated() {
                if let trouble = trouble(item, wanted, array.object(at: index) as AnyObject, learn) {
                    return "result \(index): \(trouble)"
                }
            }
            return nil
        }
    }

    private static func trouble(
        _ item: ModelItem, _ wanted: Set<String>, _ result: AnyObject?, _ learn: (ModelItem, [UInt8]) -> Bool
    ) -> String? {
        switch shape(of: item, wanted) {
        case .nothing: return result == nil ? nil : "something instead of nothing"
        case .data(let bytes): return result.map(Term.init) == .data(bytes) ? nil : "other data"
        case .reference:
            guard case .data(let bytes)? = result.map(Term.init) else { return "no reference" }
            return learn(item, bytes) ? nil : "another reference"
        case .dictionary(let terms):
            guard let dictionary = result as? NSDictionary else { return "no dictionary" }
            return trouble(item, terms, wanted, dictionary, learn)
        }
    }

    private static func trouble(
        _ item: ModelItem, _ expected: Terms, _ wanted: Set<String>, _ dictionary: NSDictionary,
        _ learn: (ModelItem, [UInt8]) -> Bool
    ) -> String? {
        var found: Terms = [:]
        for (key, value) in dictionary {
            guard let key = key as? String else { return "a key that is no string" }
            switch key {
            case "v_PersistentRef":
                guard wanted.contains("r_PersistentRef"), let data = value as? Data, learn(item, [UInt8](data)) else {
                    return "another reference"
                }
            case "accc":
                let flagged = Term.control(item.protection).object
                guard let control = value as? SecAccessControl, control.isEqual(flagged) == item.hasFlags else {
                    return "another access control"
                }
            case "sha1":
                guard wanted.contains("r_Data"), (value as? Data)?.count == 20 else { return "another digest" }
            case "v_Ref": break
            default: found[key] = Term(value)
            }
        }
        if found != expected { return "\(found.outline) instead of \(expected.outline)" }
        if wanted.contains("r_PersistentRef"), dictionary.object(forKey: "v_PersistentRef") == nil {
            return "no reference"
        }
        return nil
    }
}
