// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainCrypto
internal import KeychainModel
package import KeychainRequest

/// A view key on its way to one device: sealed to its agreement key, and signed by the member that sends it.
package struct ViewShare: Sendable, Equatable {
    package let circle: CircleID
    package let view: SyncView
    package let generation: UInt32
    /// Whom it is for.
    package let device: DeviceID
    /// Who signed it, if the signature is valid.
    package let sender: DeviceID
    private let sealed: [UInt8]
    private let signed: SignedBody

    /// Makes the body of a share; `ephemeral` is for tests that compare bytes.
    package static func seal(
        _ key: ViewKey, to card: Card, by sender: some CircleDevice, ephemeral: consuming P256.Key? = nil
    ) throws(CircleError) -> [UInt8] {
        let device = try card.id()
        let plain = try key.shared()
        let info = info(key.circle, key.view, key.generation, device)
        let sealed: [UInt8]
        do throws(CryptoError) {
            sealed = try HPKE.seal(plain, to: card.agreementKey, info: info, sender: ephemeral)
        } catch { throw .crypto(error) }
        let content = PropertyList.array([
            .string(title), .data(key.circle.bytes), .data(key.view.bytes), .number(Int64(key.generation)),
            .data(device.bytes), .data(try sender.card.id().bytes), .data(sealed),
        ])
        return try SignedBody(CircleCoding.encode(content), by: sender).encoded()
    }

    /// Reads the body of a share of a circle, as it lies at its place; nothing of it is verified yet.
    package init(decoding row: ShareBody, of circle: CircleID) throws(CircleError) {
        guard row.body.count <= ViewShare.largest else { throw .malformed }
        let signed = try SignedBody(decoding: row.body)
        guard case .array(let parts) = try CircleCoding.decode(signed.content), parts.count == 7,
            parts[0] == .string(ViewShare.title), parts[1] == .data(circle.bytes), parts[2] == .data(row.view.bytes),
            row.generation > 0, parts[3] == .number(Int64(row.generation)), parts[4] == .data(row.device.bytes),
            case .data(let name) = parts[5], let sender = DeviceID(name), case .data(let sealed) = parts[6],
            sealed.count == HPKE.overhead + ViewKey.size + ViewKey.idsSize, signed.signatures.map(\.device) == [sender]
        else { throw .malformed }
        (self.circle, view, generation, device) = (circle, row.view, row.generation, row.device)
        (self.sender, self.sealed, self.signed) = (sender, sealed, signed)
    }

    /// The key in it, as the device that it is for.
    ///
    /// `sender` is the card that the log has for `sender`, a member when it sent this: ask the log first. `commitment` is
    /// the log's for this generation of the view. Throws `crypto(.authenticationFailed)` where one of them says otherwise.
    package func open(
        as receiver: some CircleDevice, from sender: Card, commitment: [UInt8]
    ) throws(CircleError) -> ViewKey {
        let card = receiver.card
        guard try card.id() == device, try sender.id() == self.sender, try signed.isSigned(by: sender) else {
            throw .crypto(.authenticationFailed)
        }
        let plain = try HPKE.open(
            sealed, of: card.agreementKey, info: ViewShare.info(circle, view, generation, device)
        ) { (point) throws(CircleError) in try receiver.sharedSecret(with: point) }
        let key = try ViewKey(
            circle: circle, view: view, generation: generation, secret: ViewKey.part(of: plain, 0..<ViewKey.size),
            ids: ViewKey.part(of: plain, ViewKey.size..<plain.count))
        // Else a member could give two devices two keys, and each would seal what the other cannot open.
        guard try key.commitment() == commitment else { throw .crypto(.authenticationFailed) }
        return key
    }

    /// Whether the owner of a card, which is the sender's, signed it; what is in it only the device itself can tell.
    func isSigned(by card: Card) throws(CircleError) -> Bool {
        guard try card.id() == sender else { return false }
        return try signed.isSigned(by: card)
    }

    private static func info(
        _ circle: CircleID, _ view: SyncView, _ generation: UInt32, _ device: DeviceID
    ) -> [UInt8] {
        Array("llavero share 1".utf8) + circle.bytes + view.bytes + bigEndian(generation) + device.bytes
    }

    private static let title = "llavero share"
    /// More than any share has.
    private static let largest = 1024
}
