// SPDX-License-Identifier: Apache-2.0

internal import KeychainStatus
internal import KeychainSystem

/// `security error`.
enum ExplainError: SecurityVerb {
    static let name = "error"
    static let summary = "explains error numbers"
    static let usage = """
        NUMBER…

        Prints the meaning of statuses, given as decimal numbers (usually negative), or as 0x and hexadecimal digits.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        // Here a word with a leading minus is a number.
        let numbers = words.first == "--" ? words.dropFirst() : words
        guard !numbers.isEmpty else { throw .usage("a number is missing") }
        for word in numbers {
            guard let number = number(word) else { throw .usage("\(word) is not an error number") }
            let bits = UInt32(bitPattern: number)
            let digits = Hexadecimal.digits(
                of: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bits >> $0) }, uppercase: true)
            print(
                "Error: 0x\(digits) \(number) \(SecurityStatus(number).sentence ?? "There is no text for this number.")"
            )
        }
    }

    private static func number(_ word: String) -> Int32? {
        if word.hasPrefix("0x") { return UInt32(word.dropFirst(2), radix: 16).map { Int32(bitPattern: $0) } }
        guard word.first != "+" else { return nil }
        return Int32(word) ?? UInt32(word).map { Int32(bitPattern: $0) }
    }
}
