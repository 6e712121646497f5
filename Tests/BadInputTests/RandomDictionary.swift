// SPDX-License-Identifier: Apache-2.0

import Security
import TestSeed

/// Dictionaries that no sensible program would write, and some that one would.
struct RandomDictionary {
    private let zoo = ValueZoo()
    private let keys = KnownKeys.all
    private let strangeKeys = Self.oddTexts + Self.otherObjects
    /// Persistent references of items that were there once.
    var references: [AnyObject] = [NSData()]

    /// A dictionary for all four functions; `changes` names no class, most of the time, and what an item can take.
    func make(_ seed: inout Seed, changes: Bool = false) -> NSDictionary {
        let dictionary = NSMutableDictionary()
        if seed.oneIn(8) == changes {
            dictionary.setObject(seed.pick(["genp", "inet", "cert", "keys", "idnt"]), forKey: kSecClass)
        }
        let isTame = !seed.oneIn(3)
        for _ in 0..<seed.next() % (isTame ? 5 : 9) {
            if isTame, !seed.oneIn(15) {
                addFitting(to: dictionary, &seed, kinds: changes ? 9 : 12)
            } else {
                addAny(to: dictionary, &seed)
            }
        }
        switch seed.next() % 40 {
        case 0, 1: return OwnDictionary(dictionary)
        case 2: return OwnDictionary(dictionary, claimedCount: Int(seed.pick([0, 1, 100])))
        case 3: return OwnDictionary(dictionary, forgets: true)
        case 4...20: return dictionary.copy() as? NSDictionary ?? dictionary
        default: return dictionary
        }
    }

    private func addAny(to dictionary: NSMutableDictionary, _ seed: inout Seed) {
        let value = seed.oneIn(9) ? reference(&seed) : zoo.any(&seed)
        let key = seed.oneIn(12) ? seed.pick(strangeKeys) : seed.pick(keys)
        dictionary.setObject(value, forKey: key)
    }

    private func addFitting(to dictionary: NSMutableDictionary, _ seed: inout Seed, kinds: UInt64) {
        let (key, value): (CFString, AnyObject) =
            switch seed.next() % kinds {
            case 0: (kSecAttrAccount, seed.pick(zoo.texts))
            case 1: (kSecAttrService, seed.pick(zoo.texts))
            case 2: (kSecAttrServer, seed.pick(zoo.texts))
            case 3: (kSecAttrLabel, seed.pick(zoo.texts))
            case 4: (kSecValueData, seed.pick(zoo.data))
            case 5: (kSecAttrGeneric, seed.pick(zoo.data))
            case 6: (kSecAttrCreationDate, seed.pick(zoo.dates))
            case 7: (kSecAttrSynchronizable, seed.pick([NSNumber(value: true), NSNumber(value: false)]))
            case 8: (kSecAttrPort, seed.pick(zoo.numbers))
            case 9: (seed.pick([kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef]), NSNumber(value: true))
            case 10: (kSecMatchLimit, seed.pick([kSecMatchLimitAll, NSNumber(value: 0), NSNumber(value: -1)]))
            default: (seed.pick([kSecValuePersistentRef, kSecMatchItemList]), reference(&seed))
            }
        dictionary.setObject(value, forKey: key)
    }

    private func reference(_ seed: inout Seed) -> AnyObject {
        let some = seed.pick(references)
        return seed.oneIn(2) ? NSArray(array: [some, seed.pick(references)]) : some
    }

    private static var oddTexts: [NSObject] {
        let texts: [String] = [
            "", "a", "MARKEDkey", "vMARKED", "rMARKED", "uMARKED", "MARKED\u{1F510}", "class\0", "acct\0MARKED",
            "\u{E4}", "\u{E4}\u{F6}\u{FC}\u{DF}",
        ]
        return texts.map { $0 as NSString }
    }

    private static var otherObjects: [NSObject] {
        [
            NSNumber(value: ValueZoo.markedNumber), NSNumber(value: Double.nan), NSNumber(value: true), NSDate(),
            NSNull(), Data("MARKED".utf8) as NSData, NSUUID(), NSArray(array: ["MARKED"]), PlainObject(),
            HalfPair(string: ""), NSSet(),
        ]
    }
}
