// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Older copies of the database beside the device key of today.
@Suite struct OldCopyTests {
    private static let openClasses: Set<Protection> = [.dk, .dku]

    @Test("an older copy opens with no passcode and says why, and the newer one still opens", arguments: Ground.onDisk)
    func changed(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        try program.setPasscode(try Passcodes.first())
        let items = TestItem.each("item")
        for item in items { #expect(program.add(item) == errSecSuccess) }
        try Self.copy(scene, to: "old")
        try program.keybag { try $0.changePasscode(from: Passcodes.first(), to: Passcodes.second()) }
        try Self.copy(scene, to: "new")

        try Self.putBack("old", in: scene)
        for passcode in [try Passcodes.first(), try Passcodes.second(), try Passcodes.wrong()] {
            let failure = program.failure { try $0.unlock(with: passcode) }
            #expect(failure?.status == errSecNotAvailable)
            #expect(failure?.description.contains("older than the passcode") == true)
        }
        for item in items {
            let isOpen = Self.openClasses.contains(item.protection)
            #expect(program.find(item) == (isOpen ? errSecSuccess : errSecInteractionNotAllowed))
        }
        #expect(program.add(TestItem("new", .dk)) == errSecSuccess)

        try Self.putBack("new", in: scene)
        try program.unlock(try Passcodes.second())
        #expect(Set(program.find(items)) == [errSecSuccess])
        #expect(try program.checkWithoutTally() == [])
    }

    @Test(
        "a copy from before the first passcode opens with none, as long as the device is here", arguments: Ground.onDisk
    )
    func beforeTheFirst(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        #expect(program.add(TestItem("item", .ak)) == errSecSuccess)
        try Self.copy(scene, to: "old")
        try program.setPasscode(try Passcodes.first())
        try Self.putBack("old", in: scene)
        #expect(try program.lockState() == .noPasscode)
        #expect(program.find(TestItem("item", .ak)) == errSecSuccess)
    }

    @Test(
        "looking into a copy from before the first passcode costs the newer database nothing", arguments: Ground.onDisk)
    func lookingBack(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        #expect(program.add(TestItem("item", .ak)) == errSecSuccess)
        try Self.copy(scene, to: "old")
        try program.setPasscode(try Passcodes.first())
        try Self.copy(scene, to: "new")
        try Self.putBack("old", in: scene)
        #expect(program.find(TestItem("item", .ak)) == errSecSuccess)
        try Self.putBack("new", in: scene)
        #expect(program.failure { try $0.unlock(with: Passcodes.first()) } == nil)
        #expect(program.find(TestItem("item", .ak)) == errSecSuccess)
    }

    @Test("a copy from before the passcode was removed opens nothing that hung on it", arguments: Ground.onDisk)
    func removed(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        try program.setPasscode(try Passcodes.first())
        for item in TestItem.each("item") { #expect(program.add(item) == errSecSuccess) }
        try Self.copy(scene, to: "old")
        #expect(try program.keybag { try $0.removePasscode(Passcodes.first()) } == 1)
        try Self.putBack("old", in: scene)
        let failure = program.failure { try $0.unlock(with: Passcodes.first()) }
        #expect(failure?.status == errSecNotAvailable)
        #expect(program.find(TestItem("item", .akpu)) == errSecInteractionNotAllowed)
        #expect(program.find(TestItem("item", .dk)) == errSecSuccess)
    }

    /// Closes the program and copies the database, beside which no log is left then.
    private static func copy(_ scene: Scene, to name: String) throws {
        scene.program.reopen()
        try Child.shell("cp \"$1\" \"$1.$2\"", scene.file("keychain.db"), name)
    }

    private static func putBack(_ name: String, in scene: Scene) throws {
        scene.program.reopen()
        try Child.shell("cp \"$1.$2\" \"$1\"", scene.file("keychain.db"), name)
    }
}
