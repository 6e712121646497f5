// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

extension Password {
    /// What an update changes.
    enum Changes: Sendable {
        case label
        case account(String)
        case limit

        var attributes: Terms {
            switch self {
            case .label: [kSecAttrLabel: "a new label"]
            case .account(let account): [kSecAttrAccount: account]
            case .limit: [kSecMatchLimit: kSecMatchLimitOne]
            }
        }
    }
}

/// A status, and what came back, without what no two keychains have in common.
struct Outcome {
    let status: OSStatus
    let result: NSObject?

    init(_ status: OSStatus, _ result: CFTypeRef?) {
        self.status = status
        self.result = Outcome.comparable(result as? NSObject)
    }

    private static let own = [kSecAttrCreationDate as String, kSecAttrModificationDate as String, "sha1"]

    private static func comparable(_ object: NSObject?) -> NSObject? {
        switch object {
        case let array as NSArray: return array.map { comparable($0 as? NSObject) ?? NSNull() } as NSArray
        case let dictionary as NSDictionary:
            let kept = NSMutableDictionary()
            for (name, value) in dictionary where !own.contains(name as? String ?? "") {
                kept[name as? NSString ?? ""] = value
            }
            return kept
        default: return object
        }
    }
}

extension SameResultTests.Step {
    /// What Apple's function does.
    var called: Outcome {
        var result: CFTypeRef?
        switch self {
        case .add(let item): return Outcome(SecItemAdd(item() as CFDictionary, &result), result)
        case .find(let query): return Outcome(SecItemCopyMatching(query() as CFDictionary, &result), result)
        case .update(let query, let changes):
            return Outcome(SecItemUpdate(query() as CFDictionary, changes.attributes as CFDictionary), nil)
        case .delete(let query): return Outcome(SecItemDelete(query() as CFDictionary), nil)
        }
    }

    /// What the awaited one does.
    var awaited: Outcome {
        get async {
            do throws(LlaveroError) {
                switch self {
                case .add(let item): return Outcome(errSecSuccess, try await Llavero.items.add(item() as CFDictionary))
                case .find(let query):
                    return Outcome(errSecSuccess, try await Llavero.items.copyMatching(query() as CFDictionary))
                case .update(let query, let changes):
                    try await Llavero.items.update(query() as CFDictionary, changes.attributes as CFDictionary)
                case .delete(let query): try await Llavero.items.delete(query() as CFDictionary)
                }
                return Outcome(errSecSuccess, nil)
            } catch { return Outcome(error.status, nil) }
        }
    }
}
