// SPDX-License-Identifier: Apache-2.0

import KeychainCoding
import KeychainModel
import KeychainWire

extension WireMessage {
    func bytes() throws -> [UInt8] { try encoded().withUnsafeBytes { Array($0) } }

    init(_ bytes: [UInt8]) throws(WireError) {
        do {
            self = try bytes.withUnsafeBytes { try WireMessage(decoding: $0) }
        } catch let error as WireError { throw error } catch { throw .malformed }
    }
}

/// The bytes of a message, taken apart: the head as a property list, and the secrets.
struct WireBytes {
    var head: PropertyList
    var secrets: [UInt8]

    init(_ message: WireMessage) throws { try self.init(message.bytes()) }

    init(_ bytes: [UInt8]) throws {
        let size = WireBytes.headSize(bytes)
        head = try PropertyList(decoding: Array(bytes[..<size]))
        secrets = Array(bytes[size...])
    }

    func bytes() throws -> [UInt8] { try head.encoded() + secrets }

    /// How many bytes the element has that the message begins with.
    static func headSize(_ bytes: [UInt8]) -> Int {
        if bytes[1] < 0x80 { return 2 + Int(bytes[1]) }
        let octets = Int(bytes[1] & 0x7F)
        return 2 + octets + bytes[2..<2 + octets].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The error with which the bytes are refused after a part of the head was changed; nil when they are taken.
    func refusal(changing path: [Int], _ change: (PropertyList) -> PropertyList) throws -> WireError? {
        var changed = self
        changed.head = WireBytes.changed(head, path[...], change)
        return WireBytes.refusal(of: try changed.bytes())
    }

    func refusal(setting path: [Int], _ value: PropertyList) throws -> WireError? {
        try refusal(changing: path) { _ in value }
    }

    static func refusal(of bytes: [UInt8]) -> WireError? {
        do throws(WireError) {
            _ = try WireMessage(bytes)
            return nil
        } catch { return error }
    }

    private static func changed(
        _ list: PropertyList, _ path: ArraySlice<Int>, _ change: (PropertyList) -> PropertyList
    ) -> PropertyList {
        guard let index = path.first, case .array(var parts) = list else { return change(list) }
        parts[index] = changed(parts[index], path.dropFirst(), change)
        return .array(parts)
    }
}
