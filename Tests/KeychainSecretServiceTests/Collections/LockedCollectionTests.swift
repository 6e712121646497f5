// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainSecretService
import Testing

@Suite struct LockedCollectionTests {
    private static func secret(_ text: String) -> SecretValue { SecretValue(copying: Array(text.utf8)) }

    @Test("a locked keychain tells of its items, and of no secret", arguments: [false, true])
    func locked(isKnown: Bool) throws {
        let bed = try CollectionBed(passcode: true)
        let collection = bed.collection()
        let ids = try (0..<3).map { try collection.store("\($0)", ["a": "1", "n": "\($0)"], label: "item \($0)") }
        try bed.lock()
        // The index was made before, or is made now.
        let locked = isKnown ? collection : bed.collection()
        #expect(try locked.lockState() == .locked)
        #expect(try locked.entries().map(\.id) == ids.reversed())
        #expect(try locked.search(["a": "1"]) == ids.reversed() && locked.search(["n": "1"]) == [ids[1]])
        #expect(try locked.search(["n": "7"]).isEmpty)
        #expect(try locked.entry(ids[2])?.label == "item 2")
        #expect(try locked.entry("0123456789abcdef") == nil)
        #expect(refusal { try locked.secret(of: ids[0]) } == .interactionNotAllowed)
        #expect(refusal { try locked.secrets(of: ids) } == .interactionNotAllowed)
        try bed.unlock()
        #expect(try locked.lockState() == .unlocked)
        #expect(try ids.map { try locked.text($0) } == ["0", "1", "2"])
        #expect(try locked.secrets(of: ids).count == 3)
    }

    @Test("nothing is changed in a locked keychain", arguments: [false, true])
    func lockedWrites(isKnown: Bool) throws {
        let bed = try CollectionBed(passcode: true)
        let collection = bed.collection()
        let id = try collection.store("a", ["a": "1"], label: "old")
        if isKnown { _ = try collection.text(id) }
        try bed.lock()
        let locked = isKnown ? collection : bed.collection()
        #expect(refusal { try locked.store("b", ["a": "1"], replacing: true) } == .interactionNotAllowed)
        #expect(refusal { try locked.store("b", ["b": "1"]) } == .interactionNotAllowed)
        #expect(refusal { try locked.setLabel("new", of: id) } == .interactionNotAllowed)
        #expect(refusal { try locked.setAttributes([:], of: id) } == .interactionNotAllowed)
        #expect(
            refusal { try locked.setSecret(Self.secret("b"), contentType: "", of: id) } == .interactionNotAllowed)
        #expect(refusal { try locked.delete(id) } == .interactionNotAllowed)
        try bed.unlock()
        for collection in [locked, bed.collection()] {
            let entries = try collection.entries()
            #expect(entries.count == 1 && entries.first?.label == "old" && entries.first?.attributes == ["a": "1"])
            #expect(try collection.text(id) == "a")
        }
        #expect(try bed.rows(nil).count == 2)
    }

    @Test("before the first unlock nothing is told, also of a keychain without items", arguments: [0, 2])
    func beforeFirstUnlock(count: Int) throws {
        let bed = try CollectionBed(passcode: true)
        let ids = try (0..<count).map { try bed.collection().store("\($0)", ["a": "1"]) }
        bed.close()
        let collection = bed.collection()
        #expect(try collection.lockState() == .beforeFirstUnlock)
        for id in ids + ["0123456789abcdef"] {
            #expect(refusal { try collection.entry(id) } == .interactionNotAllowed)
            #expect(refusal { try collection.secret(of: id) } == .interactionNotAllowed)
            #expect(refusal { try collection.secrets(of: [id]) } == .interactionNotAllowed)
            #expect(refusal { try collection.delete(id) } == .interactionNotAllowed)
            #expect(refusal { try collection.setLabel("a", of: id) } == .interactionNotAllowed)
        }
        #expect(refusal { try collection.entries() } == .interactionNotAllowed)
        #expect(refusal { try collection.search([:]) } == .interactionNotAllowed)
        #expect(refusal { try collection.search(["a": "1"]) } == .interactionNotAllowed)
        #expect(refusal { try collection.search(["a": "2"]) } == .interactionNotAllowed)
        #expect(refusal { try collection.store("a", ["a": "1"], replacing: true) } == .interactionNotAllowed)
        #expect(refusal { try collection.store("a", ["a": "1"]) } == .interactionNotAllowed)
        try bed.unlock()
        #expect(try collection.search(["a": "1"]) == ids.reversed())
    }

    @Test("an index that is known tells nothing once the keychain is as before its first unlock")
    func forgotten() throws {
        let bed = try CollectionBed(passcode: true)
        let collection = bed.collection()
        try collection.store("a", ["a": "1"])
        bed.close()
        #expect(refusal { try collection.search([:]) } == .interactionNotAllowed)
        #expect(refusal { try collection.search(["a": "1"]) } == .interactionNotAllowed)
        #expect(refusal { try collection.search(["a": "2"]) } == .interactionNotAllowed)
        #expect(refusal { try collection.entries() } == .interactionNotAllowed)
    }
}
