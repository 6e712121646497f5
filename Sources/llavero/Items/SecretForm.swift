// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// The output form of a secret.
enum SecretForm {
    /// With a line feed at its end; refused on a terminal if it has characters that act unseen.
    case text
    /// Exactly its bytes.
    case raw
    case hexadecimal
    case base64

    init(_ options: Options) throws(CommandError) {
        try options.requireOne(of: ["--raw", "--hex", "--base64", "--aws", "--kubectl", "--json"])
        self =
            options.has("--raw")
            ? .raw : options.has("--hex") ? .hexadecimal : options.has("--base64") ? .base64 : .text
    }

    func print(_ secret: SecretValue) throws(CommandError) {
        switch self {
        case .raw: try SecretOutput.write(secret, to: 1)
        case .text:
            if Screen.output.isTerminal, !SecretForm.isReadable(secret) {
                throw .failure("the secret is not plain text; --hex and --base64 show its bytes, --raw prints them")
            }
            try SecretOutput.write(secret, to: 1, ending: "\n")
        case .hexadecimal: try SecretOutput.write(secret.hexadecimal(), to: 1, ending: "\n")
        case .base64: try SecretOutput.write(secret.base64(), to: 1, ending: "\n")
        }
    }

    /// A file's bytes without a line feed behind them.
    func printAttachment(_ content: SecretValue) throws(CommandError) {
        guard self == .text else { return try print(content) }
        if Screen.output.isTerminal, !SecretForm.isReadable(content) {
            throw .failure("the attachment is not plain text; redirect the output to a file, or use --raw")
        }
        try SecretOutput.write(content, to: 1)
    }

    /// Whether it is safe to show on a terminal: UTF-8 without control characters, and without what turns writing round.
    static func isReadable(_ secret: SecretValue, inOneLine: Bool = false) -> Bool {
        unsafe secret.withUnsafeBytes { bytes in
            guard unsafe bytes.isUTF8 else { return false }
            return bytes.indices.allSatisfy { index in
                guard let (letter, _) = unsafe bytes.unseenLetter(at: index) else { return true }
                return !inOneLine && (letter == "\n" || letter == "\t")
            }
        }
    }
}

/// Writes text with secrets to a descriptor, through memory that is wiped.
// Safe: the buffer is this object's alone, and as large as it says until it ends.
@safe
final class SecretStream {
    /// How a secret is escaped within other text.
    enum Escaping {
        /// A string in JSON.
        case json
        /// A quoted field in CSV.
        case csv
        case none
    }

    private let descriptor: Int32
    private let buffer: UnsafeMutableRawBufferPointer
    private var count = 0
    /// After a write that failed nothing more is written: what is out already would come twice, or with a hole in it.
    private var failure: CommandError?

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
            var index = 0
            while index < bytes.count {
                // JSON allows most of them; a terminal would act on them.
                if escaping == .json, let (letter, count) = unsafe bytes.unseenLetter(at: index) {
                    try put(letter.escapedForJSON)
                    index += count
                    continue
                }
                try put(unsafe bytes[index], escaping)
                index += 1
            }
        }
    }

    private func put(_ byte: UInt8, _ escaping: Escaping) throws(CommandError) {
        switch (escaping, byte) {
        case (.csv, 0x22): try put("\"\"")
        case (.json, 0x22), (.json, 0x5C):
            try put(0x5C)
            try put(byte)
        default: try put(byte)
        }
    }

    private func put(_ byte: UInt8) throws(CommandError) {
        if unsafe count == buffer.count { try flush() }
        unsafe buffer[count] = byte
        count += 1
    }

    /// Writes the rest of the buffer.
    func flush() throws(CommandError) {
        if let failure { throw failure }
        var done = 0
        while done < count {
            let written = unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + done }, count - done)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                let error = CommandError.failure(
                    "the output cannot be written completely: \(unsafe String(cString: strerror(errno)))")
                failure = error
                throw error
            }
            done += written
        }
        count = 0
    }
}
