// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Passcodes on their way in.
@Suite struct PasscodeSourceTests {
    private static let text = String(repeating: "sesame ", count: 100)

    /// What comes of a passcode that a descriptor gives.
    private static func read(_ bytes: String) throws -> Llavero.Passcode {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes.utf8))
        try pipe.fileHandleForWriting.close()
        return try Llavero.Passcode(fileDescriptor: pipe.fileHandleForReading.fileDescriptor)
    }

    @Test("a passcode is the same whether it comes as text, as bytes or through a descriptor")
    func same() throws {
        let program = try Scene(.memory).program
        try program.setPasscode(try Llavero.Passcode(Self.text))
        for passcode in [
            try Llavero.Passcode(Data(Self.text.utf8)), try Self.read(Self.text), try Self.read(Self.text + "\n"),
        ] {
            program.reopen()
            try program.unlock(passcode)
        }
        for other in [Self.text + "\n\n", "\n" + Self.text, Self.text + "\r\n", Self.text + " \n"] {
            let passcode = try Self.read(other)
            #expect(program.status { try $0.verify(passcode) } == errSecAuthFailed)
            try program.keybag { try $0.verify(Llavero.Passcode(Self.text)) }
        }
    }

    @Test("no passcode and one that nobody types are refused", arguments: [0, 2000])
    func sizes(count: Int) {
        let text = String(repeating: "x", count: count)
        let ways: [() throws -> Llavero.Passcode] = [
            { try Llavero.Passcode(text) }, { try Llavero.Passcode(Data(text.utf8)) }, { try Self.read(text) },
            { try Self.read(text + "\n") },
        ]
        for way in ways {
            let failure = #expect(throws: LlaveroError.self) { try way() }
            #expect(failure?.status == errSecParam)
        }
    }

    @Test("a thousand bytes are a passcode")
    func longest() throws {
        let program = try Scene(.memory).program
        let passcode = try Llavero.Passcode(String(repeating: "x", count: 1000))
        try program.setPasscode(passcode)
        program.reopen()
        try program.unlock(passcode)
    }

    @Test("a passcode shows itself nowhere")
    func redaction() throws {
        let passcode = try Llavero.Passcode(Self.text)
        var dumped = ""
        dump(passcode, to: &dumped)
        for shown in ["\(passcode)", String(reflecting: passcode), dumped] { #expect(!shown.contains("sesame")) }
    }

    @Test("a descriptor that cannot be read is an error of its own")
    func unreadable() {
        let failure = #expect(throws: LlaveroError.self) { try Llavero.Passcode(fileDescriptor: -1) }
        #expect(failure?.status != errSecParam)
    }
}
