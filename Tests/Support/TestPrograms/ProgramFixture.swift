// SPDX-License-Identifier: Apache-2.0

internal import CTestSupport
internal import Foundation
internal import TestProcesses

/// A real program, as bytes that can be changed.
package enum ProgramFixture {
    /// The client that tests start.
    package static let client = of("llavero-peer-helper") ?? []

    /// Another build of it, which says something else.
    package static let otherClient: [UInt8]? = {
        var bytes = client
        guard let place = bytes.firstRange(of: Array("a request that nobody vouches for".utf8)) else { return nil }
        bytes[place.lowerBound] ^= 1
        return bytes
    }()

    /// A program that was built beside the tests.
    package static func of(_ name: String) -> [UInt8]? {
        guard let image = llt_image_path() else { return nil }
        let folder = URL(fileURLWithPath: String(cString: image)).deletingLastPathComponent()
        return (try? Data(contentsOf: folder.appendingPathComponent(name))).map { [UInt8]($0) }
    }

    package static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int {
        (0..<size).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
    }

    package static func writing(_ number: UInt64, size: Int, at offset: Int, to bytes: [UInt8]) -> [UInt8] {
        var changed = bytes
        for index in 0..<size { changed[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
        return changed
    }

    /// Where the entry of a section begins.
    package static func section(_ index: Int, of bytes: [UInt8]) -> Int { number(bytes, at: 40, size: 8) + 64 * index }

    /// Where the entry of the first segment of a kind begins.
    package static func segment(_ kind: Int, of bytes: [UInt8]) -> Int? {
        let start = number(bytes, at: 32, size: 8)
        return (0..<number(bytes, at: 56, size: 2)).map { start + 56 * $0 }.first {
            number(bytes, at: $0, size: 4) == kind
        }
    }

    /// The end of what is loaded.
    package static func loadedEnd(of bytes: [UInt8]) -> Int {
        let start = number(bytes, at: 32, size: 8)
        return (0..<number(bytes, at: 56, size: 2)).map { start + 56 * $0 }
            .filter { number(bytes, at: $0, size: 4) == 1 }
            .map { number(bytes, at: $0 + 8, size: 8) + number(bytes, at: $0 + 32, size: 8) }.max() ?? 0
    }

    /// The last section of a program that was just signed: the note.
    package static func note(of bytes: [UInt8]) -> Int { section(number(bytes, at: 60, size: 2) - 1, of: bytes) }

    /// A signed program with a second entry for its note, over one that no program needs to run.
    package static func withTwoNotes(_ bytes: [UInt8]) -> [UInt8] {
        let note = note(of: bytes)
        let names = section(number(bytes, at: 62, size: 2), of: bytes)
        let place = note - 64 == names ? note - 128 : note - 64
        var doubled = bytes
        doubled.replaceSubrange(place..<place + 64, with: bytes[note..<note + 64])
        return doubled
    }

    /// The file after a tool of binutils was at it.
    package static func changed(_ bytes: [UInt8], by tool: String, _ options: [String]) throws -> [UInt8] {
        let folder = try TestFolder()
        let file = folder.file("program")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let process = try HelperProcess(
            options + [file], environment: [:], output: folder.file("output"), program: "/usr/bin/\(tool)")
        guard process.wait() == .exited(0) else { throw POSIXError(.EIO) }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    }
}
