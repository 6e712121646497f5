// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import KeychainCrypto
import KeychainEnclaveSoftware
import KeychainModel
import TestProcesses
import Testing

@Suite struct DeviceKeyFileTests {
    @Test("root and binding are the same for every object, and another keychain's are others")
    func lasts() throws {
        let (file, other) = (try EnclaveFile(), try EnclaveFile())
        #expect(try file.enclave.root() == file.enclave.root())
        #expect(try file.enclave.binding() == file.enclave.binding())
        #expect(try file.enclave.root() != other.enclave.root())
        #expect(try file.enclave.binding() != other.enclave.binding())
        #expect(try file.enclave.root().count == 32 && file.enclave.binding().count == 16)
        #expect(try file.enclave.isWhole())
    }

    @Test("what one object did to a gate, the next one knows")
    func counters() throws {
        let file = try EnclaveFile()
        let gate = try file.enclave.makeGate(1, eraseAfter: 7)
        for failure in 1...5 {
            #expect(throws: EnclaveError.self) { try file.enclave.open(gate.id, 2, at: 1000) }
            #expect(try file.enclave.gates().map(\.failures) == [UInt32(failure)])
        }
        #expect(throws: EnclaveError.mustWait(60)) { try file.enclave.open(gate.id, 1, at: 1000) }
        #expect(throws: EnclaveError.wrongPasscode(failures: 6, wait: 300)) {
            try file.enclave.open(gate.id, 2, at: 1060)
        }
        #expect(throws: EnclaveError.gateErased) { try file.enclave.open(gate.id, 2, at: 1360) }
        #expect(throws: EnclaveError.gateErased) { try file.enclave.open(gate.id, 1, at: 9999) }
    }

    @Test("the file is the owner's alone, and stays so when it is written again")
    func mode() throws {
        let file = try EnclaveFile()
        var status = llv_file_status()
        #expect(llv_read_file_status(file.path, &status) == 0 && status.permissions == 0o600)
        _ = try file.enclave.makeGate(1)
        #expect(llv_read_file_status(file.path, &status) == 0 && status.permissions == 0o600)
        #expect(TestFolder.names(in: file.folder.path) == ["device.key"])
    }

    @Test("a device key that is there is not made anew")
    func exists() throws {
        let file = try EnclaveFile()
        let before = try FileBytes.read(file.path)
        let keychain = try #require(KeychainUUID(EnclaveFile.keychain))
        #expect(throws: EnclaveError.unreadable(EEXIST)) { _ = try file.enclave.create(for: keychain) }
        #expect(try FileBytes.read(file.path) == before)
    }

    @Test("a file that others can read, or that is none, is refused", arguments: [0o640, 0o604, 0o610, 0o602])
    func exposed(mode: mode_t) throws {
        let file = try EnclaveFile()
        let gate = try file.enclave.makeGate(1)
        #expect(chmod(file.path, mode) == 0)
        #expect(throws: EnclaveError.exposed) { try file.enclave.root() }
        #expect(throws: EnclaveError.exposed) { try file.enclave.open(gate.id, 1) }
        #expect(throws: EnclaveError.exposed) { try file.enclave.makeGate(1) }
        #expect(throws: EnclaveError.exposed) { try file.enclave.destroy(gate.id) }
        #expect(throws: EnclaveError.exposed) { try file.enclave.makeKey() }
        #expect(file.enclave.description().warnings.count == 1)
    }

    @Test("a link, a pipe, a folder and nothing at all are no device key")
    func notAFile() throws {
        let file = try EnclaveFile()
        let (link, pipe) = (file.folder.file("link"), file.folder.file("pipe"))
        #expect(symlink(file.path, link) == 0 && mkfifo(pipe, 0o600) == 0)
        #expect(throws: EnclaveError.unreadable(ELOOP)) { try SoftwareEnclave(path: link).root() }
        #expect(throws: EnclaveError.exposed) { try SoftwareEnclave(path: pipe).root() }
        #expect(throws: EnclaveError.exposed) { try SoftwareEnclave(path: file.folder.path).root() }
        #expect(throws: EnclaveError.missing) { try SoftwareEnclave(path: file.folder.file("none")).root() }
        #expect(throws: EnclaveError.missing) { try SoftwareEnclave(path: file.folder.file("none")).gates() }
    }

    // Root may write to a folder of any mode, so the tests stand a folder where the new file would be written.
    @Test("where nothing can be written a gate does not open, and nothing changes")
    func readOnly() throws {
        let file = try EnclaveFile()
        let gate = try file.enclave.makeGate(1)
        let before = try FileBytes.read(file.path)
        _ = try file.folder.makeFolder("device.key.new")
        #expect(throws: EnclaveError.unreadable(EISDIR)) { try file.enclave.open(gate.id, 1) }
        #expect(throws: EnclaveError.unreadable(EISDIR)) { try file.enclave.open(gate.id, 2) }
        #expect(throws: EnclaveError.unreadable(EISDIR)) { try file.enclave.makeGate(2) }
        #expect(throws: EnclaveError.unreadable(EISDIR)) { try file.enclave.destroy(gate.id) }
        #expect(try FileBytes.read(file.path) == before)
        #expect(try file.enclave.gates().map(\.failures) == [0])
        #expect(rmdir(file.path + ".new") == 0)
        #expect(try file.enclave.open(gate.id, 1) == gate.secret)
    }

    @Test("a folder that cannot be written to opens no gate", .enabled(if: geteuid() != 0))
    func readOnlyFolder() throws {
        let file = try EnclaveFile()
        let gate = try file.enclave.makeGate(1)
        #expect(chmod(file.folder.path, 0o500) == 0)
        defer { chmod(file.folder.path, 0o700) }
        #expect(throws: EnclaveError.unreadable(EACCES)) { try file.enclave.open(gate.id, 1) }
        #expect(try file.enclave.root().count == 32)
    }

    @Test("what a crash left beside the file is not taken for it")
    func leftover() throws {
        let file = try EnclaveFile()
        let gate = try file.enclave.makeGate(1)
        try FileBytes.write([1, 2, 3], to: file.path + ".new")
        #expect(try file.enclave.open(gate.id, 1) == gate.secret)
        #expect(TestFolder.names(in: file.folder.path) == ["device.key"])
    }

    @Test("an enclave says that it is software, and where its keys are")
    func description() throws {
        let file = try EnclaveFile()
        let description = file.enclave.description()
        #expect(description.kind == .software && description.warnings.isEmpty)
        #expect(description.summary.contains("file"))
        #expect(try MemoryEnclave().description().kind == .software)
    }
}

/// A file's bytes, without Foundation.
enum FileBytes {
    static func read(_ path: String) throws(EnclaveError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(errno) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        let count = Glibc.read(file, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    /// Writes to the file that is there, or makes one of mode 0600.
    static func write(_ bytes: [UInt8], to path: String) throws(EnclaveError) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unreadable(errno) }
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw .unreadable(errno) }
    }
}
