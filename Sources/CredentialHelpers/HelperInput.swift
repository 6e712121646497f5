// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel
internal import KeychainTools

/// Input from another program: bounded, and in memory that is wiped, since it may have passwords.
enum HelperInput {
    /// Reads to the end, or up to a blank line if that ends the message.
    static func message(from descriptor: Int32, endsWithBlankLine: Bool) throws(CommandError) -> SecretValue {
        var read = SecretValue(copying: [])
        var count = 0
        while true {
            let before = read
            guard before.count < most else { throw .failure("the input is longer than \(most) bytes") }
            var isComplete = false
            read = try unsafe SecretValue(count: max(4096, before.count * 4)) { (buffer) throws(CommandError) in
                unsafe before.withUnsafeBytes { old in
                    unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: old[..<count]))
                }
                isComplete = try unsafe fill(
                    buffer, after: &count, from: descriptor, endsWithBlankLine: endsWithBlankLine)
            }
            if isComplete { break }
        }
        return unsafe read.withUnsafeBytes { bytes in
            unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    /// Whether the message is complete before the buffer is full.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, after count: inout Int, from descriptor: Int32,
        endsWithBlankLine: Bool
    ) throws(CommandError) -> Bool {
        while count < buffer.count {
            let got = unsafe Glibc.read(
                descriptor, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .failure("standard input cannot be read (\(errno))") }
            if got == 0 { return true }
            let seen = max(0, count - 1)
            count += got
            guard endsWithBlankLine else { continue }
            if unsafe hasBlankLine(UnsafeRawBufferPointer(rebasing: buffer[seen..<count]), isStart: seen == 0) {
                return true
            }
        }
        return false
    }

    private static func hasBlankLine(_ bytes: UnsafeRawBufferPointer, isStart: Bool) -> Bool {
        let feed = UInt8(ascii: "\n" as Unicode.Scalar)
        var before = isStart ? feed : 0
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if byte == feed, before == feed { return true }
            before = byte
        }
        return false
    }

    private static let most = 1 << 24
}

extension SecretValue {
    /// Text that is not secret.
    package convenience init(text: String) { self.init(copying: Array(text.utf8)) }

    /// Text that is not secret; nil if it is not UTF-8 or has a NUL.
    package var text: String? {
        let text = unsafe withUnsafeBytes { bytes in unsafe String(validating: bytes, as: UTF8.self) }
        return text.flatMap { $0.contains(byte: 0) ? nil : $0 }
    }

    package func byte(at index: Int) -> UInt8? {
        index < count ? unsafe bytes.load(fromByteOffset: index, as: UInt8.self) : nil
    }

    /// A value of the bytes that `write` emits; `write` is called twice, the first time to count them.
    package static func emitting<Failure: Error>(
        _ write: (_ emit: (UInt8) -> Void) throws(Failure) -> Void
    ) throws(Failure) -> SecretValue {
        var count = 0
        try write { _ in count += 1 }
        return try unsafe SecretValue(count: count) { (output) throws(Failure) in
            var place = 0
            try write { byte in
                unsafe output[place] = byte
                place += 1
            }
        }
    }
}
