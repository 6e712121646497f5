// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import ProgramSigning
internal import TestProcesses
internal import TestPrograms
internal import Testing

@Suite struct SignedProgramTests {
    private let signer: TestSigner
    private let program = ProgramFixture.client

    init() throws { signer = try TestSigner() }

    @Test("a signature says what the signer said, and no more")
    func whole() throws {
        let signed = try signer.sign(
            program, identifier: "TEAM.a", groups: ["TEAM.b", "TEAM.c"], applicationGroups: ["TEAM.d"], serial: 9)
        let statement = try signer.statement(of: signed)
        #expect(statement.applicationIdentifier == "TEAM.a")
        #expect(statement.keychainAccessGroups == ["TEAM.b", "TEAM.c"])
        #expect(statement.applicationGroups == ["TEAM.d"])
        #expect(statement.serial == 9)
        // Nothing of the program moved.
        let end = ProgramFixture.loadedEnd(of: program)
        #expect(signed[64..<end] == program[64..<end])
    }

    @Test("a program without a signature is unsigned, and what is no program is none")
    func unsigned() {
        #expect(signer.fault(of: program) == .unsigned)
        for bytes in [[], Array("#!/bin/sh\n".utf8), [UInt8](repeating: 0, count: 4096), Array(program.prefix(63))] {
            #expect(signer.fault(of: bytes) == .notAProgram)
        }
    }

    @Test("signing again replaces the signature: the file is as if only the last had been made")
    func again() throws {
        let once = try signer.sign(program, identifier: "TEAM.new", groups: ["TEAM.g"], serial: 2)
        let twice = try signer.sign(
            try signer.sign(program, identifier: "TEAM.an-older-and-longer-name", serial: 1), identifier: "TEAM.new",
            groups: ["TEAM.g"], serial: 2)
        #expect(once == twice)
    }

    @Test(
        "a signature outlives strip and objcopy, also when it is replaced after them",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strip"), "binutils are not installed"),
        arguments: [
            ("strip", []), ("strip", ["--strip-debug"]), ("strip", ["--strip-unneeded"]),
            ("strip", ["--remove-section=.comment", "--remove-section=.note"]), ("objcopy", []),
            ("objcopy", ["--strip-debug", "--remove-section=.comment"]),
            ("objcopy", ["--compress-debug-sections=zlib"]),
        ])
    func stripped(tool: String, options: [String]) throws {
        let signed = try signer.sign(program, identifier: "TEAM.first")
        let changed = try ProgramFixture.changed(signed, by: tool, options)
        #expect(changed != signed)
        #expect(try signer.statement(of: changed).applicationIdentifier == "TEAM.first")
        let again = try ProgramFixture.changed(
            try signer.sign(changed, identifier: "TEAM.second", serial: 1), by: tool, options)
        #expect(try signer.statement(of: again).applicationIdentifier == "TEAM.second")
    }

    @Test("a debugging file that was split off is no signed program")
    func debuggingFile() throws {
        let split = try ProgramFixture.changed(try signer.sign(program), by: "strip", ["--only-keep-debug"])
        #expect(signer.fault(of: split) != nil)
    }

    @Test("a signature of another key is not valid, whatever key it names")
    func otherKey() throws {
        let other = try TestSigner(8)
        let signed = try other.sign(program)
        #expect(other.fault(of: signed) == nil)
        #expect(signer.fault(of: signed) == .wrongSignature)
        // The other's signature under our name for the key.
        let ours = try ProgramStatement.signer(of: signer.publicKey)
        let theirs = try ProgramStatement.signer(of: other.publicKey)
        let place = try #require(signed.firstRange(of: theirs))
        var forged = signed
        forged.replaceSubrange(place, with: ours)
        #expect(signer.fault(of: forged) == .wrongSignature)
    }

    @Test("the signature of one program is worth nothing in another, of the same or another size")
    func stolen() throws {
        let signed = try signer.sign(program)
        let start = ProgramFixture.loadedEnd(of: program)
        var changed = program
        // A byte of code, or of whatever the program has in its middle.
        changed[start / 2] ^= 1
        let moved = Array(signed[..<64]) + changed[64..<start] + signed[start...]
        #expect(signer.fault(of: moved) == .otherContent)
        // A note says how long its program is, so that nobody has us hash another file with it, of any size.
        let entry = ProgramFixture.note(of: signed)
        let note = ProgramFixture.number(signed, at: entry + 24, size: 8)
        let size = ProgramFixture.number(signed, at: entry + 32, size: 8)
        let test = try #require(ProgramFixture.of("llavero-test-helper"))
        var longer = try signer.sign(test)
        let other = ProgramFixture.note(of: longer)
        let place = ProgramFixture.number(longer, at: other + 24, size: 8)
        longer.replaceSubrange(place..<place + size, with: signed[note..<note + size])
        longer = ProgramFixture.writing(UInt64(size), size: 8, at: other + 32, to: longer)
        #expect(signer.fault(of: longer) == .otherContent)
    }

    @Test("bytes that nothing loads may change: symbols, and what somebody put behind everything")
    func rest() throws {
        var signed = try signer.sign(program + Array("an archive at the end".utf8))
        #expect(signed.firstRange(of: Array("an archive at the end".utf8)) != nil)
        signed += Array("more".utf8)
        #expect(signer.fault(of: signed) == nil)
    }
}
