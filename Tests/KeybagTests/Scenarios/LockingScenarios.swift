// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Table K: locking.
extension Scenario {
    private static let item = TestItem("item", .ak)
    private static let other = TestItem("other", .ak)

    /// A locked keychain with these items.
    private static func lock(_ scene: Scene, after items: TestItem...) throws {
        try scene.program.setPasscode(try Passcodes.first())
        for item in items { #expect(scene.program.add(item) == errSecSuccess) }
        try scene.program.lock()
    }

    static let locking = [
        Scenario("K1", "an item that could not be added while locked can be added after") { scene in
            try lock(scene)
            #expect(scene.program.add(item) == errSecInteractionNotAllowed)
            try scene.program.unlock(try Passcodes.first())
            #expect(scene.program.find(item) == errSecItemNotFound)
            #expect(scene.program.add(item) == errSecSuccess)
        },
        Scenario("K2", "the same item a second time: locked, and then a duplicate") { scene in
            try lock(scene, after: item)
            #expect(scene.program.add(item) == errSecInteractionNotAllowed)
            try scene.program.unlock(try Passcodes.first())
            #expect(scene.program.add(item) == errSecDuplicateItem)
        },
        Scenario("K3", "an item is found unlocked and not locked") { scene in
            try scene.program.setPasscode(try Passcodes.first())
            #expect(scene.program.add(item) == errSecSuccess && scene.program.find(item) == errSecSuccess)
            try scene.program.lock()
            #expect(scene.program.find(item) == errSecInteractionNotAllowed)
        },
        Scenario("K4", "what does not exist is not found, locked or not") { scene in
            try lock(scene, after: item)
            #expect(scene.program.find(other) == errSecItemNotFound)
        },
        Scenario("K5", "an update while locked changes nothing") { scene in
            try lock(scene, after: item)
            #expect(scene.program.update(item, label: "changed") == errSecInteractionNotAllowed)
            try scene.program.unlock(try Passcodes.first())
            let found = scene.program.find(item.key, kSecReturnAttributes).result as? NSDictionary
            #expect(found?[kSecAttrLabel as String] as? String != "changed")
        },
        Scenario("K6", "after the first unlock, ck items are added and read while locked") { scene in
            try lock(scene)
            let item = TestItem("item", .ck)
            #expect(scene.program.add(item) == errSecSuccess && scene.program.find(item) == errSecSuccess)
        },
        Scenario("K7", "attributes, references and no return at all need the key too") { scene in
            try lock(scene, after: item)
            for wish in [kSecReturnAttributes, kSecReturnPersistentRef] {
                #expect(scene.program.find(item.key, wish).status == errSecInteractionNotAllowed)
            }
            #expect(scene.program.find(item.key).status == errSecInteractionNotAllowed)
        },
        Scenario("K11", "adds while the keychain is unlocked in the middle of them cost no earlier item") { scene in
            try lock(scene, after: item)
            for round in 0..<20 {
                let added = TestItem("round \(round)", .ak)
                let program = scene.program
                DispatchQueue.concurrentPerform(iterations: 2) { thread in
                    if thread == 0 {
                        let status = program.add(added)
                        #expect([errSecSuccess, errSecInteractionNotAllowed].contains(status))
                        if status != errSecSuccess { #expect(program.find(added) != errSecSuccess) }
                    } else {
                        #expect(program.status { try $0.unlock(with: try Passcodes.first()) } == errSecSuccess)
                    }
                }
                #expect(program.find(item) == errSecSuccess)
                try program.lock()
            }
        },
    ]
}
