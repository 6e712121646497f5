// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// None of the bytes of a key that may not leave comes out, whatever is asked and whatever is changed about it.
@Suite struct KeptKeyLeakTests {
    /// Ways whose bytes the test knows.
    private static let ways: [KeptKey.Way] = [.read, .added, .described, .sensitive]

    /// All that can be asked for, alone and together.
    private static var wishes: [[CFString]] {
        let names = [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef]
        return (1..<16).map { mask in names.indices.filter { mask >> $0 & 1 == 1 }.map { names[$0] } }
    }

    /// What comes of every way to ask for the key.
    private static func everything() -> [Any] {
        var results: [Any] = []
        for itemClass in [kSecClassKey, kSecClassIdentity] {
            for limit in [kSecMatchLimitOne, kSecMatchLimitAll] {
                for wish in wishes {
                    var query: [CFString: Any] = [kSecClass: itemClass, kSecMatchLimit: limit]
                    for name in wish { query[name] = true }
                    var result: CFTypeRef?
                    if SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess, let result {
                        results.append(result)
                    }
                }
            }
        }
        return results
    }

    @Test("nothing that can be asked for has them in it", arguments: KeptKey.allCases, ways)
    func asked(kind: KeptKey, way: KeptKey.Way) throws {
        let scene = try Scene(.memory)
        try scene.use {
            let kept = try kind.keep(way)
            let bytes = try #require(kept.bytes)
            let leak = Leak(kind, bytes)
            // The search itself works.
            #expect(leak.isIn([kSecValueData: bytes]) && leak.isIn([[bytes]]) && leak.isIn(bytes as NSData))
            #expect(!leak.isIn(kept.reference))
            let results = Self.everything()
            // Data alone is nothing in the singular, and the identities are none.
            #expect(results.count == 29)
            for result in results { #expect(!leak.isIn(result)) }
            let status = Refusal.status { error in
                #expect(SecKeyCopyExternalRepresentation(kept.reference, error) == nil)
            }
            #expect(status == errSecUnimplemented)
        }
    }

    @Test("no change to the item lets them out", arguments: KeptKey.allCases, [KeptKey.Way.read, .sensitive])
    func changed(kind: KeptKey, way: KeptKey.Way) throws {
        let scene = try Scene(.memory)
        try scene.use {
            let kept = try kind.keep(way)
            let leak = Leak(kind, try #require(kept.bytes))
            let freed: [CFString: Any] =
                way == .sensitive ? [kSecAttrIsSensitive: false] : [kSecAttrIsExtractable: true]
            #expect(Items.update([kSecClass: kSecClassKey], freed) == errSecParam)
            let leaks = try Self.changes.filter { change in
                _ = Items.update([kSecClass: kSecClassKey], change)
                let wishes: [CFString: Any] = [kSecReturnData: true, kSecReturnAttributes: true, kSecReturnRef: true]
                let found = Items.find(wishes.merging([kSecClass: kSecClassKey]) { $1 })
                return leak.isIn(found.result)
            }
            #expect(leaks.isEmpty)
        }
    }

    /// What an update could say of a key.
    private static var changes: [[CFString: Any]] {
        get throws {
            var changes: [[CFString: Any]] = [
                [kSecAttrIsExtractable: true], [kSecAttrIsSensitive: false], [kSecAttrIsPrivate: false],
                [kSecAttrWasNeverExtractable: false], [kSecAttrWasAlwaysSensitive: false],
                [kSecAttrIsModifiable: true], [kSecAttrIsPermanent: false], [kSecAttrApplicationLabel: Data([1])],
                [kSecAttrAccessControl: try Keys.control([])],
            ]
            let types = [
                kSecAttrKeyTypeRSA, kSecAttrKeyTypeEC, kSecAttrKeyTypeAES, kSecAttrKeyTypeEd25519,
                kSecAttrKeyTypeX25519,
            ]
            // As something whose bytes are public, or are read in another way.
            for part in [kSecAttrKeyClassPublic, kSecAttrKeyClassPrivate, kSecAttrKeyClassSymmetric] {
                changes.append([kSecAttrKeyClass: part])
                for type in types { changes.append([kSecAttrKeyClass: part, kSecAttrKeyType: type]) }
            }
            return changes
        }
    }

    @Test("no copy of the item has them", arguments: KeptKey.allCases, [KeptKey.Way.read, .sensitive])
    func copied(kind: KeptKey, way: KeptKey.Way) throws {
        let scene = try Scene(.memory)
        try scene.use {
            let kept = try kind.keep(way)
            let leak = Leak(kind, try #require(kept.bytes))
            let open: [CFString: Any] = [
                kSecAttrIsExtractable: true, kSecAttrIsSensitive: false, kSecAttrApplicationTag: Data([2]),
                kSecAttrApplicationLabel: Data([3]), kSecReturnRef: true, kSecReturnData: true,
                kSecReturnAttributes: true,
            ]
            let adds: [[CFString: Any]] = [
                [kSecValueRef: kept.reference], [kSecUseItemList: [kept.reference]],
                [kSecValueRef: kept.reference, kSecAttrKeyClass: kSecAttrKeyClassPublic],
            ]
            for add in adds {
                var result: CFTypeRef?
                _ = SecItemAdd(add.merging(open) { $1 } as CFDictionary, &result)
                #expect(!leak.isIn(result), "\(add.keys)")
            }
            for result in Self.everything() { #expect(!leak.isIn(result)) }
        }
    }
}
