// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A walk through JSON that keeps the texts of the outermost object, in memory that is wiped.
struct JSONReader {
    private let said: SecretValue
    private var index = 0

    init(_ said: SecretValue) { self.said = said }

    /// The members of the object that all of it is; nil stands for a value that is no text.
    mutating func object() throws(JSONStrings.Fault) -> [(name: SecretValue, value: SecretValue?)] {
        var members: [(name: SecretValue, value: SecretValue?)] = []
        skipSpace()
        try eachMember(depth: 0) { (name, value) throws(JSONStrings.Fault) in
            guard members.count < JSONReader.mostMembers else { throw .malformed }
            guard !members.contains(where: { $0.name.isEqualInConstantTime(to: name) }) else { throw .twice }
            members.append((name, value))
        }
        skipSpace()
        guard index == said.count else { throw .malformed }
        return members
    }

    private mutating func eachMember(
        depth: Int, _ take: (SecretValue, SecretValue?) throws(JSONStrings.Fault) -> Void
    ) throws(JSONStrings.Fault) {
        try expect("{")
        skipSpace()
        if skip("}") { return }
        while true {
            skipSpace()
            let name = try string()
            skipSpace()
            try expect(":")
            skipSpace()
            try take(name, peek == UInt8(ascii: "\"") ? try string() : try passOver(depth: depth + 1))
            skipSpace()
            if skip("}") { return }
            try expect(",")
        }
    }

    /// Goes past a value.
    private mutating func passOver(depth: Int) throws(JSONStrings.Fault) -> SecretValue? {
        guard depth < JSONReader.mostDepth else { throw .tooDeep }
        switch peek {
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "{"): try eachMember(depth: depth) { (_, _) throws(JSONStrings.Fault) in }
        case UInt8(ascii: "["): try elements(depth: depth)
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
        return nil
    }

    private mutating func elements(depth: Int) throws(JSONStrings.Fault) {
        try expect("[")
        skipSpace()
        if skip("]") { return }
        while true {
            skipSpace()
            _ = try passOver(depth: depth + 1)
            skipSpace()
            if skip("]") { return }
            try expect(",")
        }
    }

    private mutating func number() throws(JSONStrings.Fault) {
        _ = skip("-")
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
    }

    private mutating func digits() throws(JSONStrings.Fault) {
        let start = index
        while let byte = peek, (0x30...0x39).contains(byte) { index += 1 }
        guard index > start else { throw .malformed }
    }

    private mutating func word(_ word: StaticString) throws(JSONStrings.Fault) {
        for byte in word.description.utf8 {
            guard peek == byte else { throw .malformed }
            index += 1
        }
    }

    private mutating func string() throws(JSONStrings.Fault) -> SecretValue {
        try expect("\"")
        let start = index
        while let byte = peek, byte != UInt8(ascii: "\"") {
            // The next one counts for nothing by itself.
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        guard index < said.count else { throw .malformed }
        let end = index
        index += 1
        let value = try unsafe said.withUnsafeBytes { (bytes) throws(JSONStrings.Fault) in
            let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            return try SecretValue.emitting { (emit) throws(JSONStrings.Fault) in
                try unsafe JSONEscapes.decode(text, emit)
            }
        }
        guard value.isText else { throw .malformed }
        return value
    }

    private var peek: UInt8? { said.byte(at: index) }

    private mutating func skip(_ letter: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: letter) else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ letter: Unicode.Scalar) throws(JSONStrings.Fault) {
        guard skip(letter) else { throw .malformed }
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private static let mostDepth = 32
    private static let mostMembers = 64
}
