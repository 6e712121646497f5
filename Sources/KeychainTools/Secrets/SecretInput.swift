// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAuthentication
internal import KeychainConnection
package import KeychainModel

/// Secrets that a tool is given: from a descriptor, or from the person; never from the command line unless it is asked to.
package enum SecretInput {
    /// Everything that comes from a descriptor, of any bytes, up to the largest that an item can have.
    ///
    /// With `line` one line feed at the end does not count.
    package static func all(from descriptor: Int32, line: Bool) throws(CommandError) -> SecretValue {
        var read = SecretValue(copying: [])
        var (count, isAtEnd) = (0, false)
        while !isAtEnd {
            let before = read
            guard before.count < most else { throw .failure("a secret has at most \(most) bytes") }
            read = try unsafe SecretValue(count: max(4096, before.count * 4)) { (buffer) throws(CommandError) in
                unsafe before.withUnsafeBytes { old in
                    unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: old[..<count]))
                }
                isAtEnd = try unsafe fill(buffer, after: &count, from: descriptor)
            }
        }
        return unsafe read.withUnsafeBytes { bytes in
            if line, unsafe count > 0 && bytes[count - 1] == UInt8(ascii: "\n" as Unicode.Scalar) { count -= 1 }
            return unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        }
    }

    /// Whether the end came before the buffer was full.
    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, after count: inout Int, from descriptor: Int32
    ) throws(CommandError) -> Bool {
        while count < buffer.count {
            let got = unsafe Glibc.read(
                descriptor, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .failure("nothing can be read from descriptor \(descriptor) (\(errno))") }
            if got == 0 { return true }
            count += got
        }
        return false
    }

    /// What the person types, at the terminal or the display; fails at once where there is neither.
    package static func ask(
        _ description: String, prompt: String, confirms: Bool, otherwise advice: String
    ) throws(CommandError) -> SecretValue {
        let question = SecretQuestion(
            title: "Llavero", description: description, prompt: prompt, confirms: confirms, timeout: 300,
            cancellation: PromptCancellation())
        do throws(PromptError) {
            return SecretValue(copying: try SystemPrompt(PersonalAnswer.surroundings).ask(question))
        } catch { throw PersonalAnswer.failure(error, otherwise: advice) }
    }

    private static let most = 1 << 26
}
