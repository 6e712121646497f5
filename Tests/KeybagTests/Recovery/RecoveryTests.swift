// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import TestSwtpm
import Testing

/// The key on paper, after the device key is lost.
@Suite struct RecoveryTests {
    /// A keychain with an item of each class, and its recovery key; a passcode, if one is wanted.
    private static func prepared(
        _ ground: Ground, withPasscode: Bool
    ) throws -> (scene: Scene, key: Llavero.RecoveryKey) {
        let scene = try Scene(unborn: ground)
        let key = try scene.make(in: ground == .tpm ? .tpm : .software, recoveryKey: .made)
        if withPasscode { try scene.program.setPasscode(try Passcodes.first()) }
        for item in TestItem.each("item", of: withPasscode ? Protection.allCases : Protection.withoutPasscode) {
            #expect(scene.program.add(item) == errSecSuccess)
        }
        scene.program.reopen()
        return (scene, try #require(key))
    }

    /// Loses what the keychain hangs on.
    private static func loseDevice(_ scene: Scene) throws {
        scene.program.reopen()
        if let chip = scene.chip {
            try chip.restart(clear: true)
        } else {
            try FileManager.default.removeItem(atPath: scene.file("device.key"))
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let ground: Ground
        let hadPasscode: Bool
        let getsPasscode: Bool
        var testDescription: String { "\(ground.rawValue), passcode before \(hadPasscode), after \(getsPasscode)" }
    }

    private static let cases = Ground.onDisk.flatMap { ground in
        [false, true].flatMap { had in
            [false, true].map { Case(ground: ground, hadPasscode: had, getsPasscode: $0) }
        }
    }

    @Test("it opens what may leave the device, and the rest is kept unreadable", arguments: cases)
    func recovery(entry: Case) throws {
        let (scene, key) = try Self.prepared(entry.ground, withPasscode: entry.hadPasscode)
        let words = try key.words
        #expect(words.split(separator: " ").count == 14 && !"\(key)".contains(words.prefix(12)))
        try Self.loseDevice(scene)
        let program = scene.program
        let lost = program.whyNot(TestItem("item", .dk))
        #expect(program.find(TestItem("item", .dk)) == errSecNotAvailable)
        #expect(lost.contains(entry.ground == .tpm ? "TPM" : "device.key"))
        #expect(lost.contains("recovery key"))
        let rows = try scene.intruder().number("select count(*) from genp")
        let blobs = try scene.intruder().blobs()

        let typed = try Llavero.RecoveryKey(words: words.uppercased() + " ")
        let enclave: Llavero.Enclave = entry.ground == .tpm ? .tpm : .software
        try program.keybag {
            try $0.recover(with: typed, into: enclave, passcode: entry.getsPasscode ? Passcodes.second() : nil)
        }

        for _ in 0..<2 {
            for item in TestItem.each("item", of: Protection.movable) { #expect(program.find(item) == errSecSuccess) }
            for item in TestItem.each("item", of: Protection.thisDeviceOnly) {
                #expect(program.find(item) == errSecItemNotFound)
            }
            let state = try program.state()
            #expect(state.lockState == (entry.getsPasscode ? .unlocked : .noPasscode))
            #expect(state.enclave == enclave && state.hasRecoveryKey)
            program.reopen()
            if entry.getsPasscode {
                #expect(program.status { try $0.unlock(with: Passcodes.first()) } == errSecAuthFailed)
                try program.unlock(try Passcodes.second())
            }
        }
        #expect(try scene.intruder().number("select count(*) from genp") == rows)
        #expect(try scene.intruder().blobs() == blobs)
        #expect(try scene.intruder().number("select count(*) from quarantine where class = 'keybag'") == 1)
        for item in TestItem.each("new", of: entry.getsPasscode ? Protection.allCases : Protection.withoutPasscode) {
            #expect(program.add(item) == errSecSuccess && program.find(item) == errSecSuccess)
        }
        // And it works another time.
        try Self.loseDevice(scene)
        try program.keybag { try $0.recover(with: typed, into: .software, passcode: nil) }
        for item in TestItem.each("item", of: Protection.movable) + TestItem.each("new", of: Protection.movable) {
            #expect(program.find(item) == errSecSuccess)
        }
    }

    @Test(
        "another key, an earlier one, and one that was given up open nothing and change nothing",
        arguments: Ground.onDisk)
    func otherKeys(ground: Ground) throws {
        let (scene, first) = try Self.prepared(ground, withPasscode: true)
        let (_, foreign) = try Self.prepared(.folder, withPasscode: false)
        let program = scene.program
        let second = try program.keybag { try $0.makeRecoveryKey(passcode: Passcodes.first()) }
        for key in [first, foreign] {
            #expect(
                program.status { try $0.recover(with: key, into: .software, passcode: nil) } == errSecAuthFailed)
        }
        try program.unlock(try Passcodes.first())
        #expect(Set(program.find(TestItem.each("item"))) == [errSecSuccess])
        try program.keybag { try $0.removeRecoveryKey(passcode: Passcodes.first()) }
        #expect(try !program.state().hasRecoveryKey)
        #expect(program.status { try $0.recover(with: second, into: .software, passcode: nil) } == errSecAuthFailed)
        #expect(Set(program.find(TestItem.each("item"))) == [errSecSuccess])
        #expect(try program.check() == [])
    }

    @Test("a recovery that fails costs a keychain nothing that works", arguments: Ground.onDisk)
    func failing(ground: Ground) throws {
        let (scene, key) = try Self.prepared(ground, withPasscode: false)
        let program = scene.program
        // Into an enclave that this machine does not have, or that does not answer now.
        try scene.chip?.stop()
        #expect(program.status { try $0.recover(with: key, into: .tpm, passcode: nil) } == errSecNotAvailable)
        try scene.chip?.start()
        program.reopen()
        let items = TestItem.each("item", of: Protection.withoutPasscode)
        #expect(Set(program.find(items)) == [errSecSuccess])
        #expect(try program.check() == [])
    }

    @Test("words that are none, too few, or in a wrong place are refused", arguments: 0..<4)
    func words(kind: Int) throws {
        let (_, key) = try Self.prepared(.folder, withPasscode: false)
        var words = try key.words.split(separator: " ").map(String.init)
        switch kind {
        case 0: words.removeLast()
        case 1: words.append(words[0])
        case 2: words[3] = "llavero-is-no-such-word"
        default:
            // Two that differ change places; the checksum sees that nearly always, so one of many places shows it.
            let places = (1..<14).filter { words[$0] != words[$0 - 1] }
            let refused = places.filter { place in
                var swapped = words
                swapped.swapAt(place, place - 1)
                return (try? Llavero.RecoveryKey(words: swapped.joined(separator: " "))) == nil
            }
            #expect(refused.count >= places.count - 1)
            return
        }
        let text = words.joined(separator: " ")
        let failure = #expect(throws: LlaveroError.self) { try Llavero.RecoveryKey(words: text) }
        #expect(failure?.status == errSecParam)
        #expect(failure?.description.contains("no-such-word") == false)
    }
}
