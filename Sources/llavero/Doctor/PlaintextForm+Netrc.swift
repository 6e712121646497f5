// SPDX-License-Identifier: Apache-2.0

/// Netrc, in which several programs look for passwords: the file is moved as a whole.
extension PlaintextForm {
    static func netrc(_ text: PlaintextText, _ path: String, _ item: String) -> [PlaintextFind] {
        var lines: [Int] = []
        /// What the next word is.
        enum Next { case keyword, password, value }
        var (next, isMacro) = (Next.keyword, false)
        for line in text.lines {
            let words = line.words
            // What a macro does ends with an empty line.
            if words.isEmpty { isMacro = false }
            if isMacro { continue }
            for word in words {
                if next != .keyword {
                    // Whatever it looks like: a name of a user may begin a remark elsewhere.
                    if next == .password { lines.append(word.line) }
                    next = .keyword
                } else if word.first == UInt8(ascii: "#") {
                    break
                } else if word.isWord("macdef") {
                    isMacro = true
                    break
                } else if word.isWord("password") || word.isWord("passwd") {
                    next = .password
                } else if ["machine", "login", "user", "account", "port"].contains(where: word.isWord) {
                    next = .value
                }
            }
        }
        guard !lines.isEmpty else { return [] }
        // As a whole: what reads such a file wants a file again, and in memory it can have one.
        return [
            PlaintextFind(
                lines: lines, what: "passwords in plain text",
                fix: "llavero add \(item) --stdin --raw < \(path) && \(removal(of: path))  # from now on:"
                    + " llavero run --file NETRC=\(item) -- sh -c 'curl --netrc-file \"$NETRC\" …'")
        ]
    }
}
