// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct DictionaryFuzzTests {
    /// Everything Apple documents these functions to return.
    private static let statuses: Set<OSStatus> = [
        errSecSuccess, errSecUnimplemented, errSecParam, errSecNotAvailable, errSecDuplicateItem, errSecItemNotFound,
        errSecInteractionNotAllowed, errSecNoSuchAttr, errSecNoSuchClass, errSecAuthFailed, errSecMissingEntitlement,
    ]

    @Test("no dictionary makes a call trap, answer in riddles, leave half an item, or tell a value")
    func random() throws {
        var seed = Seed(for: "dictionary fuzz")
        let number = seed.number
        let keychain = try IsolatedKeychain(.inMemory)
        var tally: [OSStatus: Int] = [:]
        var troubles: [String] = []
        for round in 0..<20_000 where troubles.count < 5 {
            let dictionary = Self.dictionary(&seed)
            let other = Self.dictionary(&seed)
            for (name, status) in Self.calls(dictionary, other, on: keychain) {
                tally[status, default: 0] += 1
                if !Self.statuses.contains(status) { troubles.append("round \(round), \(name): \(status)") }
                let said = status == errSecSuccess ? "" : Llavero.lastFailure ?? ""
                if said.contains(ObjectZoo.marker) || said.contains("\(ObjectZoo.markedNumber)") {
                    troubles.append("round \(round), \(name) said \(said)")
                }
            }
        }
        print("statuses: \(tally.sorted { $0.value > $1.value })")
        troubles += try keychain.check()
        #expect(troubles.isEmpty, "KEYCHAIN_SEED=\(number)")
        #expect(tally[errSecSuccess, default: 0] > 1000)
    }

    private static func calls(
        _ dictionary: NSDictionary, _ other: NSDictionary, on keychain: IsolatedKeychain
    ) -> [(String, OSStatus)] {
        keychain.use {
            var result: CFTypeRef?
            return [
                ("add", SecItemAdd(dictionary, &result)), ("copy", SecItemCopyMatching(dictionary, &result)),
                ("update", SecItemUpdate(dictionary, other)), ("delete", SecItemDelete(other)),
            ]
        }
    }

    /// A class and a few keys with fitting values most of the time; anything at all otherwise.
    private static func dictionary(_ seed: inout Seed) -> NSDictionary {
        let dictionary = NSMutableDictionary()
        if !seed.oneIn(8) {
            dictionary.setObject(seed.pick(["genp", "inet", "cert", "keys"]), forKey: "class" as NSString)
        }
        let isTame = seed.oneIn(2)
        for _ in 0..<seed.next() % (isTame ? 4 : 12) {
            let key =
                isTame
                ? seed.pick(["acct", "labl", "svce", "cdat", "v_Data", "r_Data", "sync"]) : seed.pick(ObjectZoo.keys)
            let value = isTame ? fitting(key, &seed) : seed.pick(ObjectZoo.all)
            switch seed.next() % 60 {
            case 0: dictionary.setObject(value, forKey: NSNumber(value: 7))
            case 1: dictionary.setObject(value, forKey: Data(key.utf8) as NSData)
            case 2: dictionary.setObject(value, forKey: NSDate(timeIntervalSinceReferenceDate: 0))
            default: dictionary.setObject(value, forKey: key as NSString)
            }
        }
        return dictionary
    }

    private static func fitting(_ key: String, _ seed: inout Seed) -> AnyObject {
        switch key {
        case "v_Data": seed.pick(ObjectZoo.data)
        case "r_Data", "sync": NSNumber(value: seed.oneIn(2))
        case "cdat": seed.pick(ObjectZoo.dates)
        default: seed.pick(ObjectZoo.strings)
        }
    }
}
