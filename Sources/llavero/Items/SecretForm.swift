// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// How a secret is printed.
enum SecretForm {
    /// With a line feed at its end; refused on a terminal where it would do more there than be read.
    case text
    /// Exactly its bytes.
    case raw
    case hexadecimal
    case base64

    init(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--raw", "--hex", "--base64"])
        self =
            options.has("--raw")
            ? .raw : options.has("--hex") ? .hexadecimal : options.has("--base64") ? .base64 : .text
    }

    func print(_ secret: SecretValue) throws(CommandError) {
        switch self {
        case .raw: try SecretOutput.write(secret, to: 1)
        case .text:
            if Screen.output.isTerminal, !SecretForm.isReadable(secret) {
                throw .failure("the secret has bytes that are no text; --hex and --base64 show them, --raw prints them")
            }
            try SecretOutput.write(secret, to: 1, ending: "\n")
        case .hexadecimal: try SecretOutput.write(SecretForm.hexadecimal(secret), to: 1, ending: "\n")
        case .base64: try SecretOutput.write(SecretForm.base64(secret), to: 1, ending: "\n")
        }
    }

    /// Whether a terminal shows all of it and does nothing else: UTF-8 without control characters.
    static func isReadable(_ secret: SecretValue, inOneLine: Bool = false) -> Bool {
        unsafe secret.withUnsafeBytes { bytes in
            guard unsafe bytes.isUTF8 else { return false }
            // What is over 7F of the second row of control characters begins with C2.
            for index in bytes.indices {
                let byte = unsafe bytes[index]
                if byte < 0x20, inOneLine || (byte != 0x0A && byte != 0x09) { return false }
                if byte == 0x7F { return false }
                if byte == 0xC2, index + 1 < bytes.count, unsafe bytes[index + 1] < 0xA0 { return false }
            }
            return true
        }
    }

    static func hexadecimal(_ secret: SecretValue) -> SecretValue {
        let digits = Array("0123456789abcdef".utf8)
        return unsafe secret.withUnsafeBytes { bytes in
            unsafe SecretValue(count: bytes.count * 2) { output in
                for index in bytes.indices {
                    let byte = unsafe bytes[index]
                    unsafe output[2 * index] = digits[Int(byte >> 4)]
                    unsafe output[2 * index + 1] = digits[Int(byte & 15)]
                }
            }
        }
    }

    static func base64(_ secret: SecretValue) -> SecretValue {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        return unsafe secret.withUnsafeBytes { bytes in
            unsafe SecretValue(count: (bytes.count + 2) / 3 * 4) { output in
                for group in 0..<((bytes.count + 2) / 3) {
                    let rest = bytes.count - 3 * group
                    let first = unsafe UInt32(bytes[3 * group]) << 16
                    let second = unsafe rest > 1 ? UInt32(bytes[3 * group + 1]) << 8 : 0
                    let third = unsafe rest > 2 ? UInt32(bytes[3 * group + 2]) : 0
                    let word = first | second | third
                    for place in 0..<4 {
                        let digit = digits[Int(word >> UInt32(18 - 6 * place) & 63)]
                        unsafe output[4 * group + place] = place > rest ? UInt8(ascii: "=") : digit
                    }
                }
            }
        }
    }
}

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
