// SPDX-License-Identifier: Apache-2.0

internal import Security

/// Calls as programs make them, in the bytes that `QuerySource` reads.
internal enum QuerySeeds {
    static var all: [[UInt8]] {
        let name: [Entry] = [(kSecAttrAccount, text("a")), (kSecAttrService, text("s"))]
        let secret: [Entry] = [(kSecValueData, [3, 1, 0x5A])]
        let everything: [Entry] = [
            (kSecReturnAttributes, yes), (kSecReturnData, yes), (kSecReturnPersistentRef, yes), (kSecReturnRef, yes),
            (kSecMatchLimit, word(kSecMatchLimitAll)),
        ]
        let reference: [Entry] = [(kSecValuePersistentRef, [10, 0])]
        var seeds = [
            call(0, 0, name + secret) + call(2, 0, name + everything) + call(3, 0, name) + dictionary(8, secret)
                + call(4, 0, name),
            call(0, 0, name + [(kSecReturnPersistentRef, yes)]) + call(2, 8, reference + everything),
            call(0, 1, [(kSecAttrServer, text("h")), (kSecAttrPort, [5, 80])]) + call(2, 1, everything),
            call(0, 0, name + [(kSecAttrSynchronizable, yes)])
                + call(2, 0, [(kSecAttrSynchronizable, word(kSecAttrSynchronizableAny))] + everything),
        ]
        for object in 3..<UInt8(min(QueryWords.objects.count, 255)) {
            seeds.append(
                call(0, 8, [(kSecValueRef, [9, object]), (kSecReturnPersistentRef, yes)])
                    + call(2, 2, everything) + call(2, 4, everything) + call(4, 8, [(kSecValueRef, [9, object])]))
        }
        let searches: [Entry] = [
            (kSecMatchSubjectContains, text("e")), (kSecMatchEmailAddressIfPresent, text("a@b")),
            (kSecMatchCaseInsensitive, yes), (kSecMatchValidOnDate, [8] + [UInt8](repeating: 0, count: 8)),
            (kSecMatchIssuers, [11, 1, 3, 2, 0x30, 0]), (kSecMatchPolicy, [9, 8]),
            (kSecMatchItemList, [11, 1, 10, 0]), (kSecMatchHostOrSubdomainOfHost, text("example.com")),
            (kSecMatchTrustedOnly, yes),
        ]
        for search in searches {
            let leaf = call(0, 8, [(kSecValueRef, [9, 3])])
            seeds.append(leaf + call(2, 2, [search] + everything) + call(2, 0, [search]))
        }
        return seeds
    }

    private typealias Entry = (key: CFString, value: [UInt8])

    /// `kind` is the class in order, 8 for none.
    private static func call(_ operation: UInt8, _ kind: UInt8, _ entries: [Entry]) -> [UInt8] {
        [operation] + dictionary(kind, entries)
    }

    private static func dictionary(_ kind: UInt8, _ entries: [Entry]) -> [UInt8] {
        [kind << 4 | UInt8(entries.count & 0x0F)] + entries.flatMap { [index($0.key, in: QueryWords.keys)] + $0.value }
    }

    private static func text(_ text: String) -> [UInt8] { [1, UInt8(text.utf8.count)] + Array(text.utf8) }

    private static func word(_ word: CFString) -> [UInt8] { [0, index(word, in: QueryWords.values)] }

    private static let yes: [UInt8] = [4, 1]

    private static func index(_ word: CFString, in list: [CFString]) -> UInt8 {
        UInt8(list.firstIndex { $0.isEqual(to: word as String) } ?? 255)
    }
}
