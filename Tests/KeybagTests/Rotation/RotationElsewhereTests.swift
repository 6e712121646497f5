// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// One program starts a new generation while another has the keychain open.
@Suite struct RotationElsewhereTests {
    private static let items = TestItem.each("old")

    @Test("a program that is unlocked reads on, and writes again after its next unlock", arguments: Ground.onDisk)
    func unlocked(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        let other = try scene.anotherProgram()
        try program.setPasscode(try Passcodes.first())
        for item in Self.items { #expect(program.add(item) == errSecSuccess) }
        try other.unlock(try Passcodes.first())
        #expect(Set(other.find(Self.items)) == [errSecSuccess])

        try program.keybag { try $0.rotateKeys(passcode: Passcodes.first()) }

        #expect(Set(other.find(Self.items)) == [errSecSuccess])
        for protection in Protection.allCases {
            let isOpen = [.dk, .dku].contains(protection)
            let expected = isOpen ? errSecSuccess : errSecInteractionNotAllowed
            let new = TestItem("new", protection)
            #expect(other.add(new) == expected)
            #expect(other.update(TestItem("old", protection), label: "changed") == expected)
            // A deletion needs no new key.
            let doomed = TestItem("doomed", protection)
            #expect(program.add(doomed) == errSecSuccess && other.delete(doomed) == errSecSuccess)
            // What the one seals now the other cannot read yet.
            let fresh = TestItem("fresh", protection)
            #expect(program.add(fresh) == errSecSuccess && other.find(fresh) == expected)
        }
        try other.unlock(try Passcodes.first())
        for item in Self.items {
            #expect(other.update(item, label: "changed") == errSecSuccess)
            #expect(other.find(TestItem("fresh", item.protection)) == errSecSuccess)
        }
        #expect(try program.check() == [] && other.check() == [])
    }

    @Test("once everything is sealed again, the other program has to unlock to read", arguments: Ground.onDisk)
    func resealed(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        let other = try scene.anotherProgram()
        try program.setPasscode(try Passcodes.first())
        for item in Self.items { #expect(program.add(item) == errSecSuccess) }
        try other.unlock(try Passcodes.first())
        try program.keybag {
            try $0.rotateKeys(passcode: Passcodes.first())
            try $0.reseal()
        }
        for item in Self.items {
            let isOpen = [.dk, .dku].contains(item.protection)
            #expect(other.find(item) == (isOpen ? errSecSuccess : errSecInteractionNotAllowed))
        }
        try other.unlock(try Passcodes.first())
        #expect(Set(other.find(Self.items)) == [errSecSuccess])
        #expect(try !other.state().isResealing)
        #expect(try other.check() == [])
    }

    @Test("a program without the new keys seals nothing again", arguments: Ground.onDisk)
    func incomplete(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        let other = try scene.anotherProgram()
        try program.setPasscode(try Passcodes.first())
        for item in Self.items { #expect(program.add(item) == errSecSuccess) }
        try other.unlock(try Passcodes.first())
        try program.keybag { try $0.rotateKeys(passcode: Passcodes.first()) }
        #expect(other.status { try $0.reseal() } == errSecInteractionNotAllowed)
        #expect(other.add(TestItem("new", .dk)) == errSecSuccess)
        #expect(try scene.intruder().generations() == [1: 7, 2: 1])
        #expect(try StoredKeybag.earlierGenerations(in: scene.intruder()) == [1: 7])
    }

    @Test("without a passcode nobody notices", arguments: Ground.onDisk)
    func withoutPasscode(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        let other = try scene.anotherProgram()
        let items = TestItem.each("old", of: Protection.withoutPasscode)
        for item in items { #expect(program.add(item) == errSecSuccess) }
        #expect(Set(other.find(items)) == [errSecSuccess])
        for round in 0..<3 {
            try program.keybag { try $0.rotateKeys(passcode: nil) }
            #expect(Set(other.find(items)) == [errSecSuccess])
            for protection in Protection.withoutPasscode {
                #expect(other.add(TestItem("new \(round)", protection)) == errSecSuccess)
                #expect(other.update(TestItem("old", protection), label: "\(round)") == errSecSuccess)
            }
            if round == 1 { try other.keybag { try $0.reseal() } }
            #expect(Set(program.find(items)) == [errSecSuccess])
        }
        #expect(try program.state().generation == 4 && other.state().generation == 4)
        #expect(try program.check() == [] && other.check() == [])
    }
}
