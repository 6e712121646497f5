// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import TestSwtpm
import Testing

/// Tables K and L: keychains of older formats, which here are our own.
extension Scenario {
    private static let missing = TestItem("missing", .ak)
    private static let lockedClasses: Set<Protection> = [.ak, .aku]

    static let formats = [
        Scenario("K8", "an older keychain is upgraded, locked and opened again", on: [.folder]) { _ in
            // Format 1 knew no passcode, so it is locked as soon as it is upgraded, and never before.
            let program = try FirstFormat.scene().upgraded()
            #expect(FirstFormat.found(by: program) == FirstFormat.all(except: lockedClasses.union([.ck, .cku])))
            #expect(program.find(missing) == errSecItemNotFound)
            try program.unlock(try Passcodes.first())
            #expect(program.find(missing) == errSecItemNotFound)
            #expect(FirstFormat.found(by: program) == FirstFormat.all())
        },
        Scenario("K10", "while the device key is out of reach nothing works; then everything", on: [.folder]) { _ in
            let scene = try FirstFormat.scene()
            let program = scene.program
            try Child.shell("mv \"$1\" \"$1.aside\"", scene.file("device.key"))
            #expect(Set(FirstFormat.found(by: program).values.joined()) == [errSecNotAvailable])
            #expect(program.add(missing) == errSecNotAvailable)
            #expect(program.status { try $0.setPasscode(Passcodes.first(), erasingAfter: nil) } == errSecNotAvailable)
            try Child.shell("mv \"$1.aside\" \"$1\"", scene.file("device.key"))
            #expect(FirstFormat.found(by: program) == FirstFormat.all())
            #expect(try program.state().format == 1 && program.check() == [])
        },
        Scenario("K10", "while the TPM does not answer nothing works; then everything", on: Ground.onChips) { scene in
            let items = TestItem.each("item")
            let program = scene.program
            try program.setPasscode(try Passcodes.first())
            for item in items { #expect(program.add(item) == errSecSuccess) }
            program.reopen()
            try scene.chip?.stop()
            #expect(Set(program.find(items)) == [errSecNotAvailable])
            #expect(program.add(missing) == errSecNotAvailable)
            #expect(program.status { try $0.unlock(with: Passcodes.first()) } == errSecNotAvailable)
            #expect(program.failure { try $0.unlock(with: Passcodes.first()) }?.description.contains("TPM") == true)
            try scene.chip?.start()
            try program.unlock(try Passcodes.first())
            #expect(Set(program.find(items)) == [errSecSuccess])
            #expect(try program.state().failedAttempts == 0 && program.check() == [])
        },
        Scenario("L12", "all fifty items of format 1 are found, before and after it is upgraded", on: [.folder]) { _ in
            let scene = try FirstFormat.scene()
            let program = scene.program
            #expect(try program.state().format == 1)
            #expect(FirstFormat.found(by: program) == FirstFormat.all())
            #expect(try program.check() == [])
            let added = TestItem("added", .ak)
            let needy = TestItem("added", .akpu)
            #expect(program.add(added) == errSecSuccess && program.add(needy) == errSecAuthFailed)
            #expect(try program.state().format == 3)
            try program.setPasscode(try Passcodes.first())
            #expect(program.add(needy) == errSecSuccess)
            #expect(FirstFormat.found(by: program) == FirstFormat.all())
            try program.lock()
            #expect(FirstFormat.found(by: program) == FirstFormat.all(except: lockedClasses))
            try program.unlock(try Passcodes.first())
            #expect(FirstFormat.found(by: program) == FirstFormat.all())
            let other = try scene.restarted()
            #expect(FirstFormat.found(by: other) == FirstFormat.all(except: lockedClasses.union([.ck, .cku])))
            try other.unlock(try Passcodes.first())
            #expect(FirstFormat.found(by: other) == FirstFormat.all())
            #expect(other.find([added, needy]) == [errSecSuccess, errSecSuccess])
            #expect(try other.check() == [])
        },
        Scenario("L12", "all fifty items of format 2 are found, before and after it is upgraded", on: [.folder]) { _ in
            let scene = try FirstFormat.scene(format: 2)
            let program = scene.program
            let closed = lockedClasses.union([.ck, .cku])
            #expect(FirstFormat.found(by: program) == FirstFormat.all(except: closed))
            try program.unlock(try Passcodes.first())
            #expect(FirstFormat.found(by: program) == FirstFormat.all())
            #expect(try program.state().format == 2 && !scene.intruder().examinePages().hasSums)
            // The first writer that has the file alone brings it to today's format.
            #expect(program.add(TestItem("added", .ak)) == errSecSuccess)
            #expect(try program.state().format == 3)
            let examined = try scene.intruder().examinePages()
            #expect(examined.hasSums && examined.damaged == 0)
            #expect(FirstFormat.found(by: program) == FirstFormat.all())
            #expect(try program.check() == [])
            let other = try scene.restarted()
            #expect(FirstFormat.found(by: other) == FirstFormat.all(except: closed))
            try other.unlock(try Passcodes.first())
            #expect(FirstFormat.found(by: other) == FirstFormat.all())
            #expect(other.find(TestItem("added", .ak)) == errSecSuccess)
        },
        Scenario("L12", "while another program has an older keychain open it is used as it is", on: [.folder]) { _ in
            let scene = try FirstFormat.scene(format: 2)
            let reader = try scene.intruder()
            #expect(try reader.number("select count(*) from genp") == 40)
            try scene.program.unlock(try Passcodes.first())
            #expect(scene.program.add(TestItem("added", .ak)) == errSecSuccess)
            #expect(try scene.program.state().format == 2)
            #expect(FirstFormat.found(by: scene.program) == FirstFormat.all())
            reader.close()
            scene.program.reopen()
            try scene.program.unlock(try Passcodes.first())
            #expect(scene.program.add(TestItem("more", .ak)) == errSecSuccess)
            #expect(try scene.program.state().format == 3)
            #expect(FirstFormat.found(by: scene.program) == FirstFormat.all())
            #expect(scene.program.find(TestItem("added", .ak)) == errSecSuccess)
        },
        Scenario("L13", "a bad item of an older keychain costs no other, and stays", ours: "D19", on: [.folder]) { _ in
            let scene = try FirstFormat.scene()
            try scene.intruder().overwriteItem(row: 1)
            let program = scene.program
            let bad = FirstFormat.items[0]
            #expect(program.find(bad.key, kSecReturnData).status == errSecItemNotFound)
            try program.setPasscode(try Passcodes.first())
            try program.keybag {
                try $0.rotateKeys(passcode: Passcodes.first())
                try $0.reseal()
            }
            #expect(program.find(bad.key, kSecReturnData).status == errSecItemNotFound)
            for item in FirstFormat.items.dropFirst() {
                #expect(program.find(item.key, kSecReturnData).result as? Data == item.secret)
            }
            #expect(try scene.intruder().number("select length(data) from genp where rowid = 1") == 4)
            #expect(try program.check() == ["generic password 1: cannot be read"])
        },
    ]
}

extension Scene {
    /// The program after a passcode was set and the machine started again.
    fileprivate func upgraded() throws -> Program {
        try program.setPasscode(try Passcodes.first())
        return try restarted()
    }
}

extension Ground {
    fileprivate static let onChips = all.filter { $0 == .tpm }
}
