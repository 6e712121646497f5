// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// Lines of standard input, of any length, in memory that is wiped, since they may have passwords.
package struct LineSource {
    private var held = SecretValue(copying: [])
    /// How much of `held` is filled, and how much of that was consumed.
    private var (count, start) = (0, 0)
    private var isAtEnd = false

    package init() {}

    /// The next line, without its end; nil after the last.
    package mutating func next() throws(CommandError) -> SecretValue? {
        var looked = start
        while true {
            if let end = lineEnd(from: looked) {
                defer { start = end + 1 }
                return part(start..<end)
            }
            if isAtEnd {
                guard start < count else { return nil }
                defer { start = count }
                return part(start..<count)
            }
            // The rest is moved to the start afterwards.
            looked = count - start
            try fill()
        }
    }

    private func lineEnd(from: Int) -> Int? {
        unsafe held.withUnsafeBytes { bytes in
            unsafe bytes[from..<count].firstIndex(of: 0x0A)
        }
    }

    private func part(_ range: Range<Int>) -> SecretValue {
        unsafe held.withUnsafeBytes { bytes in
            unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }

    private mutating func fill() throws(CommandError) {
        let (old, from, kept) = (held, start, count - start)
        guard kept <= LineSource.longest else { throw .failure("a line is longer than \(LineSource.longest) bytes") }
        var got = 0
        held = try unsafe SecretValue(count: max(4096, kept * 4)) { (buffer) throws(CommandError) in
            unsafe old.withUnsafeBytes { bytes in
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[from..<from + kept]))
            }
            repeat {
                got = unsafe read(STDIN_FILENO, buffer.baseAddress.map { unsafe $0 + kept }, buffer.count - kept)
            } while got < 0 && errno == EINTR
            guard got >= 0 else { throw .failure("standard input cannot be read (\(errno))") }
        }
        (start, count, isAtEnd) = (0, kept + got, got == 0)
    }

    private static let longest = 1 << 27
}
