// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Items that may exist only while there is a passcode (decision D21).
@Suite struct PasscodeItemsTests {
    private static let needy = TestItem.many(5, .akpu)
    private static let others = TestItem.each("other", of: Protection.withoutPasscode)

    @Test("the passcode takes them with it, and no passcode brings them back", arguments: Ground.all)
    func removal(ground: Ground) throws {
        let scene = try Scene(ground)
        let program = scene.program
        try program.setPasscode(try Passcodes.first())
        for item in Self.needy + Self.others { #expect(program.add(item) == errSecSuccess) }
        // Some of an earlier generation, some of this one.
        try program.keybag { try $0.rotateKeys(passcode: Passcodes.first()) }
        #expect(program.add(TestItem("of today", .akpu)) == errSecSuccess)
        if ground != .memory { #expect(try Self.needyRows(scene) == 6) }

        #expect(try program.keybag { try $0.removePasscode(Passcodes.first()) } == 6)

        if ground != .memory { #expect(try Self.needyRows(scene) == 0) }
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        #expect((program.find(query, kSecReturnAttributes).result as? [Any])?.count == Self.others.count)
        for item in Self.needy {
            #expect(program.find(item) == errSecItemNotFound && program.delete(item) == errSecItemNotFound)
            #expect(program.add(item) == errSecAuthFailed)
        }
        #expect(Set(program.find(Self.others)) == [errSecSuccess])

        for passcode in [try Passcodes.first(), try Passcodes.second()] {
            try program.setPasscode(passcode)
            for item in Self.needy {
                #expect(program.find(item) == errSecItemNotFound)
                #expect(program.add(item) == errSecSuccess && program.find(item) == errSecSuccess)
            }
            #expect(try program.check() == [])
            #expect(try program.keybag { try $0.removePasscode(passcode) } == Self.needy.count)
        }
        #expect(Set(program.find(Self.others)) == [errSecSuccess])
    }

    @Test("a wrong passcode removes nothing, and a change of passcode keeps them", arguments: Ground.all)
    func kept(ground: Ground) throws {
        let program = try Scene(ground).program
        try program.setPasscode(try Passcodes.first())
        for item in Self.needy { #expect(program.add(item) == errSecSuccess) }
        #expect(program.status { try $0.removePasscode(Passcodes.wrong()) } == errSecAuthFailed)
        try program.keybag { try $0.changePasscode(from: Passcodes.first(), to: Passcodes.second()) }
        program.reopen()
        #expect(Set(program.find(Self.needy)) == [errSecInteractionNotAllowed])
        try program.unlock(try Passcodes.second())
        #expect(Set(program.find(Self.needy)) == [errSecSuccess])
    }

    @Test("with nothing of the class, removing the passcode removes nothing", arguments: Ground.all)
    func none(ground: Ground) throws {
        let program = try Scene(ground).program
        try program.setPasscode(try Passcodes.first())
        for item in Self.others { #expect(program.add(item) == errSecSuccess) }
        try program.lock()
        #expect(try program.keybag { try $0.removePasscode(Passcodes.first()) } == 0)
        #expect(Set(program.find(Self.others)) == [errSecSuccess])
    }

    @Test("an update into the class needs a passcode, and one out of it saves the item", arguments: Ground.all)
    func moved(ground: Ground) throws {
        let program = try Scene(ground).program
        let item = TestItem("moving", .ak)
        #expect(program.add(item) == errSecSuccess)
        func move(to protection: Protection) -> OSStatus {
            let change = [kSecAttrAccessible as String: protection.rawValue] as CFDictionary
            return program.keychain.use { SecItemUpdate(item.key as CFDictionary, change) }
        }
        #expect(move(to: .akpu) == errSecAuthFailed)
        try program.setPasscode(try Passcodes.first())
        #expect(move(to: .akpu) == errSecSuccess && move(to: .aku) == errSecSuccess)
        #expect(try program.keybag { try $0.removePasscode(Passcodes.first()) } == 0)
        #expect(program.find(item) == errSecSuccess)
    }

    private static func needyRows(_ scene: Scene) throws -> Int {
        try scene.intruder().number("select count(*) from genp where pdmn = 'akpu'")
    }
}
