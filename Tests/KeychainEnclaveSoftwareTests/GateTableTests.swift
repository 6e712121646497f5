// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainEnclaveSoftware
import KeychainModel
import Testing

/// When a table is saved, and what a crash between two saves leaves.
@Suite struct GateTableTests {
    /// A table of one gate, and all that is on its disk.
    private struct Disk {
        var table = GateTable()
        let gate: GateID
        let secret: [UInt8]
        var saved: [GateState] = []

        init(eraseAfter: UInt32 = 0) throws {
            let made = try table.make(for: .key(1), eraseAfter: eraseAfter)
            gate = made.id
            secret = made.secret.array
        }

        /// Opens the gate with what was saved last, as a new process does; it ends at the save of that number.
        mutating func open(
            _ passcode: UInt8, at now: Double = 0, endingAtSave end: Int = .max, savesBefore: Bool = true
        ) throws(EnclaveError) -> [UInt8] {
            var (memory, disk, count, saved) = (table, table, 0, saved)
            defer { (table, self.saved) = (disk, saved) }
            return try memory.open(gate, with: .key(passcode), at: now) { (changed) throws(EnclaveError) in
                count += 1
                if count < end || savesBefore {
                    disk = changed
                    saved += changed.standings
                }
                if count == end { throw .unreadable(5) }
            }.array
        }
    }

    @Test("an attempt is counted before the key is looked at, and forgotten when it was right")
    func order() throws {
        var disk = try Disk()
        #expect(try disk.open(1, at: 7) == disk.secret)
        #expect(disk.saved.map(\.failures) == [1, 0])
        #expect(disk.saved.map(\.lastFailure) == [7, 0])
        #expect(throws: EnclaveError.wrongPasscode(failures: 1, wait: 0)) { try disk.open(2, at: 8) }
        #expect(disk.saved.map(\.failures) == [1, 0, 1])
    }

    @Test("whoever ends the process after each count has had his attempts", arguments: [1, 2] as [UInt8])
    func killed(passcode: UInt8) throws {
        var disk = try Disk()
        for failure in 1...5 {
            #expect(throws: EnclaveError.unreadable(5)) { try disk.open(passcode, endingAtSave: 1) }
            #expect(disk.table.standings.map(\.failures) == [UInt32(failure)])
        }
        #expect(throws: EnclaveError.mustWait(60)) { try disk.open(1) }
        #expect(try disk.open(1, at: 60) == disk.secret)
    }

    @Test("what cannot be counted is not tried")
    func unsaved() throws {
        var disk = try Disk()
        #expect(throws: EnclaveError.unreadable(5)) { try disk.open(1, endingAtSave: 1, savesBefore: false) }
        #expect(throws: EnclaveError.unreadable(5)) { try disk.open(1, endingAtSave: 2, savesBefore: false) }
        #expect(disk.table.standings.map(\.failures) == [1])
        #expect(try disk.open(1) == disk.secret)
    }

    @Test("a crash between the last count and the erasing leaves one attempt, which erases when it is wrong")
    func killedBeforeErasing() throws {
        var disk = try Disk(eraseAfter: 2)
        #expect(throws: EnclaveError.wrongPasscode(failures: 1, wait: 0)) { try disk.open(2) }
        #expect(throws: EnclaveError.unreadable(5)) { try disk.open(2, endingAtSave: 2, savesBefore: false) }
        #expect(disk.table.standings.map(\.isErased) == [false])
        var other = disk
        #expect(try other.open(1) == disk.secret)
        #expect(throws: EnclaveError.gateErased) { try disk.open(2) }
        #expect(disk.table.standings.map(\.isErased) == [true])
        #expect(throws: EnclaveError.gateErased) { try disk.open(1) }
        #expect(disk.table.standings.map(\.failures) == [3])
    }

    @Test("a clock that was set back is saved before it is believed")
    func setBack() throws {
        var disk = try Disk()
        for _ in 1...5 { #expect(throws: EnclaveError.self) { try disk.open(2, at: 1000) } }
        #expect(throws: EnclaveError.unreadable(5)) { try disk.open(1, at: 10, endingAtSave: 1, savesBefore: false) }
        #expect(disk.table.standings.map(\.lastFailure) == [1000])
        #expect(throws: EnclaveError.mustWait(60)) { try disk.open(1, at: 10) }
        #expect(disk.table.standings.map(\.lastFailure) == [10])
        #expect(throws: EnclaveError.mustWait(10)) { try disk.open(1, at: 60) }
    }
}
