// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainModel

/// Writes elements of DER.
enum DERWriter {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { head(tag, content.count) + content }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] { element(DERTag.sequence, Array(elements.joined())) }

    static func objectIdentifier(_ identifier: ObjectIdentifier) -> [UInt8] {
        element(DERTag.objectIdentifier, identifier.content)
    }

    /// A bit string of whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { element(DERTag.bitString, [0] + bytes) }

    /// Tag and length of an element with that much content.
    static func head(_ tag: UInt8, _ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [tag, UInt8(count)] }
        let octets = (Int.bitWidth - count.leadingZeroBitCount + 7) / 8
        return [tag, 0x80 | UInt8(octets)]
            + (0..<octets).reversed().map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
    }

    static let null: [UInt8] = [DERTag.null, 0]
}

extension SecretBytes {
    /// A secret with bytes before and behind it that are none.
    init(_ before: [UInt8], _ secret: UnsafeRawBufferPointer, _ behind: [UInt8]) {
        unsafe self.init(count: before.count + secret.count + behind.count) { output in
            let middle = unsafe UnsafeMutableRawBufferPointer(rebasing: output.dropFirst(before.count))
            unsafe output.copyBytes(from: before)
            unsafe middle.copyMemory(from: secret)
            unsafe UnsafeMutableRawBufferPointer(rebasing: middle.dropFirst(secret.count)).copyBytes(from: behind)
        }
    }
}
