// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// Text with secrets in it, on its way to a descriptor through memory that is wiped.
// Safe: the buffer is this object's alone, and as large as it says until it ends.
@safe
final class SecretStream {
    /// How a secret is written among other text.
    enum Escaping {
        /// What stands between quotation marks in JSON.
        case json
        /// What stands between quotation marks in CSV.
        case csv
        case none
    }

    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    private var count = 0

    init(to descriptor: Int32) {
        self.descriptor = descriptor
        unsafe buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
    }

    deinit {
        if let start = unsafe buffer.baseAddress { unsafe llv_wipe(start, buffer.count) }
        unsafe buffer.deallocate()
    }

    func put(_ text: String) throws(CommandError) {
        for byte in text.utf8 { try put(byte) }
    }

    /// `text` is UTF-8 where it is escaped.
    func put(_ secret: SecretValue, _ escaping: Escaping) throws(CommandError) {
        try unsafe secret.withUnsafeBytes { (bytes) throws(CommandError) in
            for index in bytes.indices { try put(unsafe bytes[index], escaping) }
        }
    }

    private func put(_ byte: UInt8, _ escaping: Escaping) throws(CommandError) {
        switch (escaping, byte) {
        case (.csv, 0x22): try put("\"\"")
        case (.json, 0x22), (.json, 0x5C):
            try put(0x5C)
            try put(byte)
        case (.json, 0..<0x20), (.json, 0x7F):
            try put("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
        default: try put(byte)
        }
    }

    private func put(_ byte: UInt8) throws(CommandError) {
        if unsafe count == buffer.count { try flush() }
        unsafe buffer[count] = byte
        count += 1
    }

    /// Writes what is still here.
    func flush() throws(CommandError) {
        var done = 0
        while done < count {
            let written = unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + done }, count - done)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                throw .failure("not everything could be written: \(unsafe String(cString: strerror(errno)))")
            }
            done += written
        }
        count = 0
    }
}
