// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// What a machine that was told to destroy something signs before it does: afterwards it has no key to sign with.
package struct ErasureReceipt: Sendable, Equatable {
    package let circle: CircleID
    package let device: DeviceID
    package let erasure: Erasure
    /// Seconds since 2001, by its own clock.
    package let time: Int64

    package init(circle: CircleID, device: DeviceID, _ erasure: Erasure, now: Double) {
        (self.circle, self.device, self.erasure, time) = (circle, device, erasure, Int64(clamping: now))
    }

    package func signed(by device: some CircleDevice) throws(CircleError) -> [UInt8] {
        let content = try CircleCoding.encode(
            .array([
                .string(ErasureReceipt.title), .data(circle.bytes), .data(self.device.bytes), .number(erasure.rawValue),
                .number(time),
            ]))
        return try SignedBody(content, by: device).encoded()
    }

    /// Reads one as its machine signed it, present or removed.
    package init(decoding bytes: [UInt8], in membership: Membership) throws(CircleError) {
        let signed = try SignedBody(decoding: bytes)
        var parts = try CircleParts(decoding: signed.content, title: ErasureReceipt.title)
        circle = try parts.circle()
        device = try parts.device()
        guard let erasure = Erasure(rawValue: try parts.integer()) else { throw .malformed }
        self.erasure = erasure
        time = try parts.integer()
        try parts.end()
        guard circle == membership.circle, let card = membership.members[device]?.card, try signed.isSigned(by: card)
        else { throw .malformed }
    }

    /// Where they lie.
    package static func box(of circle: CircleID) throws(CircleError) -> MailBox {
        try CircleLog.box("llavero receipts", of: circle)
    }

    private static let title = "llavero receipt"
}
