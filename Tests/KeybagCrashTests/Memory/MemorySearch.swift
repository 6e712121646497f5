// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// Searching the memory of another process.
enum MemorySearch {
    /// The names of what is in a core dump that gcore makes now; nil where there is no gcore, or it may not.
    static func core(of pid: Int32, for needles: [Needle]) throws -> Set<String>? {
        let places = ["/usr/bin/gcore", "/usr/local/bin/gcore"]
        guard let program = places.first(where: FileManager.default.isExecutableFile) else { return nil }
        let folder = try TestFolder()
        let gcore = Process()
        gcore.executableURL = URL(fileURLWithPath: program)
        gcore.arguments = ["-o", folder.file("core"), "\(pid)"]
        let said = Pipe()
        gcore.standardInput = FileHandle.nullDevice
        gcore.standardOutput = said
        gcore.standardError = said
        try gcore.run()
        _ = said.fileHandleForReading.readDataToEndOfFile()
        gcore.waitUntilExit()
        guard let file = TestFolder.names(in: folder.path)?.first(where: { $0.hasPrefix("core") }) else { return nil }
        let dump = try Data(contentsOf: URL(fileURLWithPath: folder.file(file)), options: .alwaysMapped)
        return dump.withUnsafeBytes { found(needles, in: $0) }
    }

    /// The names of what is in the memory that the process can write to, whether or not it would be in a dump; nil where
    /// we may not look.
    static func memory(of pid: Int32, for needles: [Needle]) throws -> Set<String>? {
        let file = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var names: Set<String> = []
        var size = 0
        for line in try maps(of: pid).split(separator: "\n") {
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard words[1].hasPrefix("rw"), ends.count == 2 else { continue }
            var region = [UInt8](repeating: 0, count: Int(ends[1] - ends[0]))
            var got = 0
            // A page that nobody may read, such as a hidden one, ends the region.
            while got < region.count {
                let count = region.withUnsafeMutableBytes { buffer in
                    pread(file, buffer.baseAddress.map { $0 + got }, buffer.count - got, off_t(ends[0]) + off_t(got))
                }
                if count <= 0 { break }
                got += count
            }
            size += got
            names.formUnion(
                region.withUnsafeBytes { found(needles, in: UnsafeRawBufferPointer(rebasing: $0[..<got])) })
        }
        return size == 0 ? nil : names
    }

    /// Whether the process has memory that not even the kernel's own mapping reaches.
    static func hasHiddenMemory(_ pid: Int32) throws -> Bool {
        try maps(of: pid).contains("secretmem")
    }

    /// Where the process has what.
    ///
    /// Read to the end: the kernel gives one page at a time, which Foundation takes for the whole file.
    private static func maps(of pid: Int32) throws -> String {
        let file = open("/proc/\(pid)/maps", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Trouble("process \(pid) has no maps: \(errno)") }
        defer { close(file) }
        var text: [UInt8] = []
        var page = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &page, page.count)
            guard count > 0 else { break }
            text += page[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func found(_ needles: [Needle], in memory: UnsafeRawBufferPointer) -> Set<String> {
        Set(needles.filter { needle in needle.parts.contains { isIn(memory, $0) } }.map(\.name))
    }

    private static func isIn(_ memory: UnsafeRawBufferPointer, _ bytes: [UInt8]) -> Bool {
        guard let start = memory.baseAddress, let memmem else { return false }
        return memmem(start, memory.count, bytes, bytes.count) != nil
    }

    private typealias Search =
        @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeMutableRawPointer?

    // Swift's module of the C library leaves it out, being an extension of GNU's.
    private static let memmem = dlsym(nil, "memmem").map { unsafeBitCast($0, to: Search.self) }
}
