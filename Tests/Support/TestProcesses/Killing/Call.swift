// SPDX-License-Identifier: Apache-2.0

/// A call of a whole run that changed a file of the keychain, or a command that it sent to a TPM.
package struct Call: Sendable {
    package let part: String
    package let kind: String
    package let file: String
    /// Which call it is, counted over all kinds from 1.
    package let count: Int

    /// Reads the interposer's list.
    package static func calls(in list: String) -> [Call] {
        var part = ""
        var calls: [Call] = []
        for line in list.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard words.count == 2 else { continue }
            if words[0] == "part" {
                part = words[1]
            } else {
                // The workplace of a birth has another name each time.
                let file = words[1].hasPrefix(".birth-") ? "the workplace" : words[1]
                calls.append(Call(part: part, kind: words[0], file: file, count: calls.count + 1))
            }
        }
        return calls
    }
}
