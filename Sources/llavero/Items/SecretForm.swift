// SPDX-License-Identifier: Apache-2.0

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
