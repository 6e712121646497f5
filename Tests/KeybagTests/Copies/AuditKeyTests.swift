// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainEngine
import KeychainModel
import Security
import TestSwtpm
import Testing

/// The key of a log about the keychain, by which an old log is checked as long as the keychain lives.
@Suite struct AuditKeyTests {
    private func key(of program: Program) throws -> [UInt8] {
        let secret = try program.keychain.host.engine().auditKey()
        return secret.withUnsafeBytes { Array($0) }
    }

    @Test("it stays the same through passcodes, locks, rotations, and a recovery", arguments: Ground.onDisk)
    func stable(ground: Ground) throws {
        let scene = try Scene(unborn: ground)
        let enclave: Llavero.Enclave = ground == .tpm ? .tpm : .software
        let recovery = try #require(try scene.make(in: enclave, recoveryKey: .made))
        let program = scene.program
        let key = try key(of: program)
        #expect(key.count == 32)
        try program.setPasscode(try Passcodes.first())
        #expect(try self.key(of: program) == key)
        try program.keybag { try $0.rotateKeys(passcode: Passcodes.first()) }
        try program.lock()
        #expect(try self.key(of: program) == key)
        program.reopen()
        #expect(try self.key(of: program) == key)
        program.reopen()
        if let chip = scene.chip {
            try chip.restart(clear: true)
        } else {
            try FileManager.default.removeItem(atPath: scene.file("device.key"))
        }
        try program.keybag { try $0.recover(with: recovery, into: enclave, passcode: Passcodes.second()) }
        #expect(try self.key(of: program) == key)
    }

    @Test("no two keychains have the same")
    func different() throws {
        #expect(try key(of: Scene(.memory).program) != key(of: Scene(.memory).program))
    }
}
