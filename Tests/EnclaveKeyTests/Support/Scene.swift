// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import TestSwtpm

/// A keychain on some ground, and the program that uses it.
final class Scene {
    let ground: Ground
    let keychain: IsolatedKeychain
    let chip: SwtpmProcess?
    private let root: TestFolder?

    init(_ ground: Ground) throws {
        self.ground = ground
        chip = ground == .tpm ? try SwtpmProcess() : nil
        root = ground == .memory ? nil : try TestFolder()
        keychain = try Scene.keychain(root, chip)
    }

    /// A keychain that lies in a folder already, whose owner `root` is.
    private init(_ ground: Ground, in root: TestFolder, chip: SwtpmProcess?) throws {
        self.ground = ground
        self.chip = chip
        self.root = root
        keychain = try Scene.keychain(root, chip)
    }

    deinit {
        // Before the folder goes.
        keychain.reopen()
    }

    /// Runs calls that act on this keychain.
    func use<Result>(_ body: () throws -> Result) rethrows -> Result { try keychain.use(body) }

    /// The same keychain after the machine was started again; in memory, after everything was let go of.
    ///
    /// A reference that was taken before goes on with the old program.
    func restarted() throws -> Scene {
        keychain.reopen()
        try chip?.restart()
        guard let root else { return self }
        return try Scene(ground, in: root, chip: chip)
    }

    /// A copy of the folder on another machine, whose enclave is a new one.
    func copied() throws -> Scene {
        let folder = try TestFolder()
        guard let root else { throw CocoaError(.fileNoSuchFile) }
        keychain.reopen()
        try FileManager.default.copyItem(atPath: root.file("login"), toPath: folder.file("login"))
        if ground == .folder { try FileManager.default.removeItem(atPath: folder.file("login/device.key")) }
        return try Scene(ground, in: folder, chip: ground == .tpm ? try SwtpmProcess() : nil)
    }

    /// Loses what the keychain hangs on: the TPM's seed, or the file that stands for it.
    func loseEnclave() throws {
        keychain.reopen()
        if let chip {
            try chip.restart(clear: true)
        } else if let root {
            try FileManager.default.removeItem(atPath: root.file("login/device.key"))
        }
    }

    /// Where the keychain's own device key lives.
    var enclave: Llavero.Enclave { ground == .tpm ? .tpm : .software }

    private static func keychain(_ root: TestFolder?, _ chip: SwtpmProcess?) throws -> IsolatedKeychain {
        guard let root else { return try IsolatedKeychain(.inMemory) }
        let hardware = chip.map { IsolatedKeychain.Hardware.tpm(connection: $0.connection) } ?? .software
        return try IsolatedKeychain(.folder(URL(fileURLWithPath: root.path)), hardware: hardware)
    }
}
