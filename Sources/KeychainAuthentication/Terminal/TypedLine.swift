// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A secret line while it is typed, key by key.
struct TypedLine: ~Copyable {
    var secret = SecretBuffer(capacity: SecretQuestion.longestAnswer)
    private var isTooLong = false
    private var escape = Escape.none
    private let keys: Keys

    /// What a key leads to.
    enum Step {
        case more
        case done
        case cancelled
        case tooLong
    }

    /// The keys that are commands, as the terminal's owner has chosen them.
    struct Keys {
        var erase: UInt8? = 0x7F
        var kill: UInt8? = 0x15
        var interrupt: UInt8? = 0x03
        var quit: UInt8? = 0x1C
        var endOfFile: UInt8? = 0x04

        init() {}

        init(_ terminal: Terminal) {
            erase = terminal.character(VERASE)
            kill = terminal.character(VKILL)
            interrupt = terminal.character(VINTR)
            quit = terminal.character(VQUIT)
            endOfFile = terminal.character(VEOF)
        }
    }

    /// Within what an arrow key and its like send.
    private enum Escape {
        case none
        case begun
        case sequence
    }

    init(_ keys: Keys) { self.keys = keys }

    mutating func take(_ byte: UInt8) -> Step {
        switch byte {
        case keys.interrupt, keys.quit: return .cancelled
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return isTooLong ? .tooLong : .done
        case keys.endOfFile: return secret.count == 0 ? .cancelled : isTooLong ? .tooLong : .done
        case _ where isInEscape(byte): return .more
        case keys.erase, 0x08, 0x7F: removeCharacter()
        case keys.kill:
            secret.truncate(to: 0)
            isTooLong = false
        // No other control character is in a typed secret: Ctrl-Z does nothing, and so on.
        case 0..<0x20: break
        default: if !secret.append(byte) { isTooLong = true }
        }
        return .more
    }

    private mutating func isInEscape(_ byte: UInt8) -> Bool {
        switch (escape, byte) {
        case (_, 0x1B): escape = .begun
        case (.begun, UInt8(ascii: "[")), (.begun, UInt8(ascii: "O")): escape = .sequence
        case (.begun, _): escape = .none
        // Parameters, until a letter ends it.
        case (.sequence, 0x20...0x3F): break
        case (.sequence, _): escape = .none
        case (.none, _): return false
        }
        return true
    }

    private mutating func removeCharacter() {
        var left = secret.count
        if left == 0 { return }
        left -= 1
        // A character of UTF-8 is one key. What terminals say about it themselves (IUTF8) is often wrong.
        while left > 0, unsafe secret.bytes[left] & 0xC0 == 0x80 { left -= 1 }
        secret.truncate(to: left)
    }
}
