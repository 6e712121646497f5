// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto

/// Content, and the signatures of devices under it: an entry of the log, a head, a share.
///
/// What one entry is, is its content: with another signature of the same device, or one more, it is still that one.
package struct SignedBody: Sendable, Equatable {
    package struct Signature: Sendable, Equatable {
        package let device: DeviceID
        /// ECDSA of the content's SHA-256, DER.
        package let bytes: [UInt8]
    }

    package let content: [UInt8]
    /// In the order of the devices' names, each once.
    package private(set) var signatures: [Signature] = []

    package init(_ content: [UInt8]) { self.content = content }

    /// What was read before, put together again.
    init(_ content: [UInt8], _ signatures: [Signature]) { (self.content, self.signatures) = (content, signatures) }

    package init(_ content: [UInt8], by device: some CircleDevice) throws(CircleError) {
        self.init(content)
        try sign(by: device)
    }

    /// Puts a device's signature in its place.
    package mutating func sign(by device: some CircleDevice) throws(CircleError) {
        let id = try device.card.id()
        let made = Signature(device: id, bytes: try device.signature(of: CircleCoding.digest(of: content)))
        signatures.removeAll { $0.device == id }
        let place = signatures.firstIndex { id.bytes.lexicographicallyPrecedes($0.device.bytes) }
        signatures.insert(made, at: place ?? signatures.endIndex)
    }

    /// Whether the owner of a card signed this; what is not valid is as good as absent.
    package func isSigned(by card: Card) throws(CircleError) -> Bool {
        let id = try card.id()
        guard let signature = signatures.first(where: { $0.device == id }) else { return false }
        return P256.isValid(
            signature: signature.bytes, of: try CircleCoding.digest(of: content), publicKey: card.signingKey)
    }

    package func encoded() throws(CircleError) -> [UInt8] {
        try CircleCoding.encode(
            .array([
                .string(SignedBody.title), .data(content),
                .array(signatures.map { .array([.data($0.device.bytes), .data($0.bytes)]) }),
            ]))
    }

    package init(decoding bytes: [UInt8]) throws(CircleError) {
        guard case .array(let parts) = try CircleCoding.decode(bytes), parts.count == 3,
            parts[0] == .string(SignedBody.title), case .data(let content) = parts[1],
            case .array(let signed) = parts[2], signed.count <= SignedBody.mostSignatures
        else { throw .malformed }
        self.content = content
        for part in signed {
            guard case .array(let pair) = part, pair.count == 2, case .data(let name) = pair[0],
                let device = DeviceID(name), case .data(let bytes) = pair[1]
            else { throw .malformed }
            if let last = signatures.last {
                guard last.device.bytes.lexicographicallyPrecedes(name) else { throw .malformed }
            }
            signatures.append(Signature(device: device, bytes: bytes))
        }
    }

    private static let title = "llavero signed"
    /// More owners than that sign nothing together.
    package static let mostSignatures = 16
}
