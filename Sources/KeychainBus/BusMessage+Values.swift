// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import CSDBus
internal import Glibc
internal import KeychainModel
internal import KeychainSystem

/// Messages as values: all of one is read at once, and what is sent is written at once.
extension BusMessage {
    /// Everything in it; bytes are taken out of it and wiped there.
    ///
    /// The library has checked the message against its signature. What no service here takes (numbers of other sizes, signatures)
    /// and what is nested deeper than any of our calls makes it unreadable as a whole.
    package func values() throws(BusFailure) -> [BusValue] { try values(depth: 0) }

    private func values(depth: Int) throws(BusFailure) -> [BusValue] {
        guard depth < BusMessage.deepest else { throw .broken(EBADMSG) }
        var values: [BusValue] = []
        while let (type, contents) = try next() { values.append(try value(type, contents, depth)) }
        return values
    }

    /// What comes next: its type, and that of what is in it.
    private func next() throws(BusFailure) -> (UInt8, String)? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        let result = unsafe functions.sd_bus_message_peek_type(message, &type, &contents)
        if result < 0 { throw .broken(-result) }
        guard result > 0 else { return nil }
        return (UInt8(bitPattern: type), unsafe contents.map { unsafe String(cString: $0) } ?? "")
    }

    private func value(_ type: UInt8, _ contents: String, _ depth: Int) throws(BusFailure) -> BusValue {
        switch Unicode.Scalar(type) {
        case "s": return .text(try text())
        case "o": return .path(try path())
        case "b": return .truth(try truth())
        case "u": return .number(try number())
        case "y":
            var byte: UInt8 = 0
            try read("y", &byte)
            return .byte(byte)
        case "i":
            var number: Int32 = 0
            try read("i", &number)
            return .signedNumber(number)
        case "t":
            var number: UInt64 = 0
            try read("t", &number)
            return .largeNumber(number)
        case "h": return .file(OwnedDescriptor(owning: try file()))
        case "a" where contents == "y": return .bytes(try bytes())
        case "a" where contents.hasPrefix("{"): return try dictionary(contents, depth)
        case "a":
            return .list(
                of: contents, try inside("a", contents) { () throws(BusFailure) in try values(depth: depth + 1) })
        case "r":
            return .structure(try inside("r", contents) { () throws(BusFailure) in try values(depth: depth + 1) })
        case "v":
            let inner = try inside("v", contents) { () throws(BusFailure) in try values(depth: depth + 1) }
            guard let value = inner.first else { throw .broken(EBADMSG) }
            return .variant(value)
        default: throw .broken(EBADMSG)
        }
    }

    private func dictionary(_ contents: String, _ depth: Int) throws(BusFailure) -> BusValue {
        let types = contents.dropFirst().dropLast()
        // The key is of one letter: the bus allows no other.
        guard let key = types.first else { throw .broken(EBADMSG) }
        var pairs: [(key: BusValue, value: BusValue)] = []
        try inside("a", contents) { () throws(BusFailure) in
            while let (type, contents) = try next() {
                guard Unicode.Scalar(type) == "e" else { throw .broken(EBADMSG) }
                let pair = try inside("e", contents) { () throws(BusFailure) in try values(depth: depth + 1) }
                guard pair.count == 2 else { throw .broken(EBADMSG) }
                pairs.append((pair[0], pair[1]))
            }
        }
        return .dictionary(String(key), String(types.dropFirst()), pairs)
    }

    private func inside<Result>(
        _ type: Unicode.Scalar, _ contents: String, _ body: () throws(BusFailure) -> Result
    ) throws(BusFailure) -> Result {
        let entered = unsafe functions.sd_bus_message_enter_container(message, CChar(type.value), contents)
        if entered <= 0 { throw .broken(entered < 0 ? -entered : EBADMSG) }
        let result = try body()
        let left = unsafe functions.sd_bus_message_exit_container(message)
        if left < 0 { throw .broken(-left) }
        return result
    }

    private func bytes() throws(BusFailure) -> SecretValue {
        var start: UnsafeRawPointer?
        var count = 0
        let result = unsafe functions.sd_bus_message_read_array(message, CChar(UInt8(ascii: "y")), &start, &count)
        if result < 0 { throw .broken(-result) }
        guard let start = unsafe start, count > 0 else { return SecretValue(copying: []) }
        let value = unsafe SecretValue(copying: UnsafeRawBufferPointer(start: start, count: count))
        // The library's own memory, which it gives back as it is.
        unsafe llv_wipe(UnsafeMutableRawPointer(mutating: start), count)
        return value
    }

    /// Writes them behind what is in it.
    func append(_ values: [BusValue]) throws(BusFailure) {
        for value in values { try append(value) }
    }

    private func append(_ value: BusValue) throws(BusFailure) {
        switch value {
        case .text(let text): try appendText("s", text)
        case .path(let path): try appendText("o", path)
        case .truth(let truth):
            // The library reads a boolean out of an int.
            var number: Int32 = truth ? 1 : 0
            try appendBasic("b", &number)
        case .byte(var byte): try appendBasic("y", &byte)
        case .number(var number): try appendBasic("u", &number)
        case .signedNumber(var number): try appendBasic("i", &number)
        case .largeNumber(var number): try appendBasic("t", &number)
        case .file(let file):
            var number = file.number
            try appendBasic("h", &number)
        case .bytes(let bytes):
            try check(
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe functions.sd_bus_message_append_array(
                        message, CChar(UInt8(ascii: "y")), bytes.baseAddress, bytes.count)
                })
        case .list(let element, let values): try within("a", element) { () throws(BusFailure) in try append(values) }
        case .dictionary(let key, let value, let pairs):
            try within("a", "{\(key)\(value)}") { () throws(BusFailure) in
                for pair in pairs {
                    try within("e", key + value) { () throws(BusFailure) in try append([pair.key, pair.value]) }
                }
            }
        case .structure(let fields):
            try within("r", fields.map(\.signature).joined()) { () throws(BusFailure) in try append(fields) }
        case .variant(let value):
            try within("v", value.signature) { () throws(BusFailure) in try append(value) }
        }
    }

    private func appendText(_ type: Unicode.Scalar, _ text: String) throws(BusFailure) {
        // A NUL would end it early, and another text would be sent than was meant.
        guard !text.utf8.contains(0) else { throw .broken(EINVAL) }
        try check(
            unsafe text.withCString {
                unsafe functions.sd_bus_message_append_basic(message, CChar(type.value), $0)
            })
    }

    private func appendBasic<Value: BitwiseCopyable>(
        _ type: Unicode.Scalar, _ value: inout Value
    ) throws(BusFailure) {
        try check(unsafe functions.sd_bus_message_append_basic(message, CChar(type.value), &value))
    }

    private func within(
        _ type: Unicode.Scalar, _ contents: String, _ body: () throws(BusFailure) -> Void
    ) throws(BusFailure) {
        try check(unsafe functions.sd_bus_message_open_container(message, CChar(type.value), contents))
        try body()
        try check(unsafe functions.sd_bus_message_close_container(message))
    }

    private func check(_ result: Int32) throws(BusFailure) { if result < 0 { throw .broken(-result) } }

    /// A call of ours has a list of structures with a variant in a dictionary at most.
    private static let deepest = 12
}
