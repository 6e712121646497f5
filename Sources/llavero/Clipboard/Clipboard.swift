// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

/// Where text is pasted from.
enum Clipboard {
    /// A program has it, for as long as it runs: when it ends, what it offered is gone, and nothing else.
    case program([String])
    /// The terminal's, wherever that is; it says nothing back.
    case terminal

    /// The one that is here; nil when there is none.
    static func here() -> Clipboard? {
        if ProgramSearch.variable("WAYLAND_DISPLAY") != nil, let path = ProgramSearch.path(of: "wl-copy") {
            return .program([path, "--foreground"])
        }
        if ProgramSearch.variable("DISPLAY") != nil {
            if let path = ProgramSearch.path(of: "xclip") {
                return .program([path, "-quiet", "-selection", "clipboard", "-in"])
            }
            if let path = ProgramSearch.path(of: "xsel") {
                return .program([path, "--nodetach", "--clipboard", "--input"])
            }
        }
        return Screen.output.isTerminal || Screen.complaints.isTerminal ? .terminal : nil
    }

    /// What a terminal takes for its clipboard (OSC 52).
    static func escape(_ secret: SecretValue) -> SecretValue {
        let (head, tail) = (Array("\u{1B}]52;c;".utf8), Array("\u{07}".utf8))
        let text = SecretForm.base64(secret)
        return unsafe text.withUnsafeBytes { bytes in
            unsafe SecretValue(count: head.count + bytes.count + tail.count) { output in
                unsafe output.copyBytes(from: head)
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[head.count...]).copyMemory(from: bytes)
                unsafe UnsafeMutableRawBufferPointer(rebasing: output[(head.count + bytes.count)...])
                    .copyBytes(from: tail)
            }
        }
    }

    /// The terminal that the escape is for.
    static var screen: Int32 { isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO }
}
