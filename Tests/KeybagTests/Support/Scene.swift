// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import TestProcesses
import TestSwtpm

/// A keychain on some ground, and the programs that use it.
final class Scene {
    let ground: Ground
    /// The program most tests need; others are let in by `anotherProgram`.
    let program: Program
    let chip: SwtpmProcess?
    private let root: TestFolder?

    init(_ ground: Ground) throws {
        self.ground = ground
        chip = ground == .tpm ? try SwtpmProcess() : nil
        root = ground == .memory ? nil : try TestFolder()
        program = try Scene.program(root, chip)
        if ground != .memory { _ = try make(in: ground == .tpm ? .tpm : .software, recoveryKey: .refused) }
    }

    /// A keychain whose device key is in software, on a machine that has a TPM.
    init(softwareBeside chip: SwtpmProcess) throws {
        ground = .folder
        self.chip = chip
        root = try TestFolder()
        program = try Scene.program(root, chip)
        _ = try make(in: .software, recoveryKey: .refused)
    }

    /// A place on the disk where no keychain is yet.
    init(unborn ground: Ground) throws {
        self.ground = ground
        chip = ground == .tpm ? try SwtpmProcess() : nil
        root = try TestFolder()
        program = try Scene.program(root, chip)
    }

    /// Makes the keychain.
    func make(in enclave: Llavero.Enclave, recoveryKey: Llavero.RecoveryKeyChoice) throws -> Llavero.RecoveryKey? {
        try program.keychain.use { try Llavero.createKeychain(in: enclave, recoveryKey: recoveryKey) }
    }

    /// A keychain that lies in a folder already, whose owner `root` is.
    init(in root: TestFolder, chip: SwtpmProcess? = nil) throws {
        ground = chip == nil ? .folder : .tpm
        self.chip = chip
        self.root = root
        program = try Scene.program(root, chip)
    }

    /// Another program on the same keychain: keys, connections and lock state are its own.
    func anotherProgram() throws -> Program { try Scene.program(try folder(), chip) }

    /// The program as it is after the machine was started again; the one there was has let go of everything.
    func restarted() throws -> Program {
        program.reopen()
        return root == nil ? program : try anotherProgram()
    }

    /// The path of one of the keychain's files, or of the folder itself.
    func file(_ name: String = "") throws -> String {
        let folder = try folder().file("login")
        return name.isEmpty ? folder : folder + "/" + name
    }

    /// A way in for somebody who has the files and no key.
    func intruder() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: try file("keychain.db"), mode: .readWrite)
        try connection.execute("pragma synchronous=off")
        return connection
    }

    private func folder() throws -> TestFolder {
        guard let root else { throw CocoaError(.fileNoSuchFile) }
        return root
    }

    private static func program(_ root: TestFolder?, _ chip: SwtpmProcess?) throws -> Program {
        guard let root else { return Program(try IsolatedKeychain(.inMemory), in: nil, with: nil) }
        let storage = IsolatedKeychain.Storage.folder(URL(fileURLWithPath: root.path))
        let connection = chip?.connection ?? Scene.noTPM
        return Program(try IsolatedKeychain(storage, hardware: .tpm(connection: connection)), in: root, with: chip)
    }

    /// A TPM that is not there: no test may touch the machine's own.
    static let noTPM = "swtpm:path=/nonexistent/tpm"
}
