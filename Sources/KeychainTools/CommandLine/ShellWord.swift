// SPDX-License-Identifier: Apache-2.0

/// Words of commands that people are told to type.
package enum ShellWord {
    /// As a shell reads it as one word.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "/._-+:@%,".utf8.contains(byte)
        }
        if isPlain, !word.isEmpty { return word }
        return "'" + word.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}
