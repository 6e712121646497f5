// SPDX-License-Identifier: Apache-2.0

/// The packets of one message, in the order in which they are to be sent.
///
/// Each says what its header is and which bytes of the message come behind it, so that both can be sent from where they
/// are.
package struct FrameSplitter: Sequence, IteratorProtocol, Sendable {
    private let kind: WireFrame.Kind
    private let number: UInt64
    private let total: Int
    private var offset = 0

    /// The packets of an encoded message of `total` bytes; `.tooLarge` when nobody would take it.
    package init(_ message: WireMessage, total: Int) throws(WireError) {
        guard total <= WireLimits.message else { throw .tooLarge }
        number = message.number
        kind = message.kind
        self.total = total
    }

    package mutating func next() -> WireFrame? {
        guard offset < total else { return nil }
        let frame = WireFrame(kind, number: number, total: total, offset: offset)
        offset += frame.contentSize
        return frame
    }
}

extension WireFrame {
    /// Which bytes of the message the packet has.
    package var range: Range<Int> { offset..<offset + contentSize }
}

extension WireMessage {
    package var kind: WireFrame.Kind {
        switch content {
        case .call: .call
        case .reply: .reply
        }
    }
}
