// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel

/// An estimate of how many tries an attacker needs to guess a password: common ones and what is known of the item first, then
/// words, sequences, rows of a keyboard and dates, then everything.
///
/// The cheapest way to put the password together counts. The lists are short, and leaked passwords are not known to it: one that
/// it calls weak is weak, and others may be weak too.
package struct PasswordStrength {
    /// What the number of tries means.
    package enum Grade: Int, Sendable, CaseIterable, Comparable {
        /// Fewer than a million: can be tried where one logs in.
        case veryWeak
        /// Fewer than ten thousand million: found within seconds in a stolen list of unsalted hashes.
        case weak
        /// Fewer than a hundred million million: found within hours there.
        case fair
        case strong

        package static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }
    }

    /// The decimal logarithm of the tries.
    package let tries: Double

    package var grade: Grade { tries < 6 ? .veryWeak : tries < 10 ? .weak : tries < 14 ? .fair : .strong }

    /// Of a password whose item has these names, users and addresses.
    ///
    /// Longer passwords are judged by their first 128 bytes.
    package init(of password: UnsafeRawBufferPointer, besides known: [String] = []) {
        let start = unsafe SecretValue(
            copying: UnsafeRawBufferPointer(rebasing: password.prefix(PasswordStrength.most)))
        tries = GuessedPassword(start, known.flatMap(PasswordStrength.words)).tries
    }

    /// The parts of a name that an attacker would try, folded as passwords are.
    private static func words(of name: String) -> [[UInt8]] {
        let parts = name.lowercased().utf8.split { byte in !Letter.isLetter(byte) && !Letter.isDigit(byte) }
        // The whole name, too: ada.lovelace as adalovelace.
        return (parts.map { Array($0) } + [Array(parts.joined())]).filter { $0.count >= 3 && $0.count <= most }
    }

    private static let most = 128
}

/// What bytes are in passwords.
private enum Letter {
    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) && byte < 0x80 }
    static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    static func isVowel(_ byte: UInt8) -> Bool { "aeiouy".utf8.contains(byte | 0x20) }

    /// The letter that a digit or a mark often stands for: p4ssw0rd.
    static func meant(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0"): UInt8(ascii: "o")
        case UInt8(ascii: "1"), UInt8(ascii: "!"): UInt8(ascii: "i")
        case UInt8(ascii: "3"): UInt8(ascii: "e")
        case UInt8(ascii: "4"), UInt8(ascii: "@"): UInt8(ascii: "a")
        case UInt8(ascii: "5"), UInt8(ascii: "$"): UInt8(ascii: "s")
        case UInt8(ascii: "7"): UInt8(ascii: "t")
        default: isLetter(byte) ? byte | 0x20 : byte
        }
    }

    /// Neighbours on a keyboard, to the right or to the left.
    static func areBeside(_ first: UInt8, _ second: UInt8) -> Bool {
        isBefore(first, second) || isBefore(second, first)
    }

    private static func isBefore(_ first: UInt8, _ second: UInt8) -> Bool {
        rows.contains { row in
            guard let place = row.firstIndex(of: first) else { return false }
            return place + 1 < row.count && row[place + 1] == second
        }
    }

    private static let rows = [
        "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertz", "yxcvb", "azertyuiop", "qsdfg", "wxcvbn",
    ]
    .map { Array($0.utf8) }
}

/// The search for the cheapest way to a password: costs are decimal logarithms, so those of its parts add up.
private struct GuessedPassword {
    private let bytes: SecretValue
    private let known: [[UInt8]]
    /// What a letter costs that nothing else explains.
    private let letter: Double
    /// What the part up to each place costs.
    private var costs: [Double]

    var tries: Double { costs.last ?? 0 }

    init(_ bytes: SecretValue, _ known: [[UInt8]]) {
        self.bytes = bytes
        self.known = known
        letter = GuessedPassword.isMixed(bytes) ? 1.7 : 1.4
        costs = [0] + Array(repeating: .infinity, count: bytes.count)
        for start in 0..<bytes.count {
            single(start)
            repetition(start)
            run(start)
            word(start)
            spoken(start)
            date(start)
        }
    }

    /// Whether capital letters are among the others, as in what is random, and not only in front.
    private static func isMixed(_ bytes: SecretValue) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            let capitals = unsafe bytes.count { Letter.isCapital($0) }
            return unsafe capitals > 1 && bytes.contains { Letter.isLetter($0) && !Letter.isCapital($0) }
        }
    }

    private subscript(place: Int) -> UInt8 {
        (0..<bytes.count).contains(place) ? unsafe bytes.bytes.load(fromByteOffset: place, as: UInt8.self) : 0
    }

    private mutating func offer(_ cost: Double, from start: Int, to end: Int) {
        costs[end] = min(costs[end], costs[start] + cost)
    }

    private mutating func single(_ place: Int) {
        let byte = self[place]
        if Letter.isDigit(byte) { return offer(1, from: place, to: place + 1) }
        if Letter.isLetter(byte) { return offer(letter, from: place, to: place + 1) }
        // Separators are mostly the same.
        let isNew = (0..<place).allSatisfy { self[$0] != byte }
        offer(isNew ? 1.5 : 0.3, from: place, to: place + 1)
    }

    /// The same again as what stands just before.
    private mutating func repetition(_ start: Int) {
        for size in 1...max(1, start) where size <= start && start + size <= bytes.count {
            let isSame = (0..<size).allSatisfy { self[start - size + $0] == self[start + $0] }
            if isSame { offer(0.5, from: start, to: start + size) }
        }
    }

    /// Such as 4567, aaaa, zyx and qwert, three bytes at least.
    private mutating func run(_ start: Int) {
        guard start + 2 < bytes.count else { return }
        let step = Int(self[start + 1]) - Int(self[start])
        if abs(step) <= 1 {
            var end = start + 1
            while end < bytes.count && Int(self[end]) - Int(self[end - 1]) == step {
                end += 1
                if end - start > 2 { offer(1 + log10(Double(end - start)), from: start, to: end) }
            }
        }
        var end = start + 1
        while end < bytes.count && Letter.areBeside(self[end - 1] | 0x20, self[end] | 0x20) {
            end += 1
            if end - start > 2 { offer(1.3 + log10(Double(end - start)), from: start, to: end) }
        }
    }

    /// A word of the lists or of the item, with capital letters and with digits for letters.
    private mutating func word(_ start: Int) {
        var hash = WordList.start
        for end in (start + 1)...bytes.count where end - start <= WordList.longest {
            let meant = Letter.meant(self[end - 1])
            guard Letter.isLetter(meant) else { break }
            hash = WordList.hash(hash, meant)
            guard end - start >= 3, let cost = WordList.cost(of: hash) else { continue }
            offer(cost + spelling(start..<end), from: start, to: end)
        }
        for word in known where start + word.count <= bytes.count {
            let end = start + word.count
            let isSame = zip(start..<end, word).allSatisfy { place, byte in
                Letter.meant(self[place]) == Letter.meant(byte)
            }
            if isSame { offer(1 + spelling(start..<end), from: start, to: end) }
        }
    }

    /// What unusual spelling adds.
    private func spelling(_ range: Range<Int>) -> Double {
        let capitals = range.count { Letter.isCapital(self[$0]) }
        let marks = range.count { !Letter.isLetter(self[$0]) }
        let isUsual =
            capitals == 0 || capitals == range.count || capitals == 1 && Letter.isCapital(self[range.lowerBound])
        return (capitals == 0 ? 0 : isUsual ? 0.3 : 1) + (marks == 0 ? 0 : 0.5)
    }

    /// A run of letters that can be pronounced counts as a word of a long list: it has vowels, and never four consonants in a row.
    ///
    /// Only a whole run, or a part of one that begins with its only capital letter: what is random has short such parts.
    private mutating func spoken(_ start: Int) {
        guard Letter.isLetter(self[start]) else { return }
        if start > 0 {
            let (before, first) = (self[start - 1], self[start])
            guard !Letter.isLetter(before) || Letter.isCapital(first) && !Letter.isCapital(before) else { return }
        }
        var (end, vowels, consonants, capitals) = (start, 0, 0, 0)
        while end < bytes.count && Letter.isLetter(self[end]) {
            let byte = self[end]
            if Letter.isCapital(byte), end > start, !Letter.isCapital(self[end - 1]) { break }
            if Letter.isCapital(byte) { capitals += 1 }
            vowels += Letter.isVowel(byte) ? 1 : 0
            consonants = Letter.isVowel(byte) ? 0 : consonants + 1
            if consonants > 3 { return }
            end += 1
        }
        guard end - start <= 14, vowels * 5 >= end - start else { return }
        offer(5 + (capitals > 0 ? 0.5 : 0), from: start, to: end)
    }

    /// A year from 1900 to 2039, and days with and without marks between.
    private mutating func date(_ start: Int) {
        var (groups, end) = ([(value: Int, digits: Int)](), start)
        while groups.count < 3, let group = number(at: end) {
            groups.append(group)
            end += group.digits
            if groups.count == 1 { plainDate(group.digits, start) }
            if groups.count == 3, isDate(groups) { offer(4.8, from: start, to: end) }
            guard end < bytes.count && "-./_ ".utf8.contains(self[end]) else { return }
            end += 1
        }
    }

    private mutating func plainDate(_ digits: Int, _ start: Int) {
        func part(_ place: Int, _ count: Int) -> (value: Int, digits: Int) {
            let value = (0..<count).reduce(0) { 10 * $0 + Int(self[start + place + $1] - 0x30) }
            return (value, count)
        }
        if digits >= 4, isYear(part(0, 4)) { offer(2.2, from: start, to: start + 4) }
        if digits >= 6, isDate([part(0, 2), part(2, 2), part(4, 2)]) { offer(4.3, from: start, to: start + 6) }
        guard digits >= 8 else { return }
        if isDate([part(0, 2), part(2, 2), part(4, 4)]) || isDate([part(0, 4), part(4, 2), part(6, 2)]) {
            offer(4.5, from: start, to: start + 8)
        }
    }

    /// The digits there; nil without any, and where there are more than eight.
    private func number(at start: Int) -> (value: Int, digits: Int)? {
        var (value, end) = (0, start)
        while end < bytes.count && Letter.isDigit(self[end]) && end - start < 9 {
            value = 10 * value + Int(self[end] - 0x30)
            end += 1
        }
        return end > start && end - start < 9 ? (value, end - start) : nil
    }

    private func isYear(_ group: (value: Int, digits: Int)) -> Bool {
        group.digits == 4 ? (1900...2039).contains(group.value) : group.digits == 2
    }

    /// Whether they are a day, a month and a year in one of the usual orders.
    private func isDate(_ groups: [(value: Int, digits: Int)]) -> Bool {
        func isDay(_ first: Int, _ second: Int) -> Bool {
            let (first, second) = (groups[first], groups[second])
            guard first.digits <= 2, second.digits <= 2, first.value > 0, second.value > 0 else { return false }
            return first.value <= 31 && second.value <= 12 || first.value <= 12 && second.value <= 31
        }
        return isYear(groups[2]) && isDay(0, 1) || isYear(groups[0]) && isDay(1, 2)
    }
}

/// The words that are tried first, by hashes, so that none is looked for letter by letter.
private enum WordList {
    /// FNV-1a, for which two of some thousand words do not collide.
    static let start: UInt64 = 0xCBF2_9CE4_8422_2325
    static func hash(_ hash: UInt64, _ letter: UInt8) -> UInt64 { (hash ^ UInt64(letter)) &* 0x100_0000_01B3 }

    /// What the word of that hash costs; nil for one of no list.
    static func cost(of hash: UInt64) -> Double? { common.contains(hash) ? 2 : usual.contains(hash) ? 3 : nil }

    static let longest = 12

    /// The 1024 words of recovery keys and of `llavero generate --words`.
    private static let usual = Set(
        RecoveryWordList.words.map { word in (0..<word.count).reduce(start) { hash($0, word.letter(at: $1)) } })

    /// The first entries of lists of leaked passwords, and what stands for a password in examples.
    private static let common = Set(
        """
        password passwort contrasena motdepasse qwerty qwertyuiop qwertz azerty letmein welcome willkommen admin
        administrator root toor login master dragon monkey football baseball iloveyou princess sunshine shadow superman
        batman trustno starwars whatever freedom hello hallo secret geheim changeme default guest test tester testing
        user pass passwd passphrase abc asdf asdfgh zxcvbn michael jordan hunter killer pepper ginger summer winter
        spring autumn sommer herbst love llavero keychain linux debian ubuntu example sample demo temp private access
        google facebook amazon apple android internet computer server mysql postgres oracle cisco mustang charlie
        thomas robert daniel andrew jessica ashley nicole maria anna peter george harley ranger buster soccer hockey
        tigger cookie cheese banana orange purple silver diamond chocolate butterfly flower angel lovely jesus
        january february march april june july august september october november december monday tuesday wednesday
        thursday friday saturday sunday london berlin paris madrid
        """.split { $0 == " " || $0 == "\n" }.map { $0.utf8.reduce(start) { hash($0, $1) } })
}
