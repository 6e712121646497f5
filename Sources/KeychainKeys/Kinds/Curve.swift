// SPDX-License-Identifier: Apache-2.0

/// The curves EC keys are on, by the bits of their field; their cofactor is 1.
package enum Curve: Int, Sendable, CaseIterable {
    case p256 = 256
    case p384 = 384
    case p521 = 521

    internal init?(bits: Int) {
        self.init(rawValue: bits)
    }

    /// The curve whose points, uncompressed, take so many bytes.
    internal init?(pointSize: Int) {
        guard let match = Self.allCases.first(where: { $0.pointSize == pointSize }) else { return nil }
        self = match
    }

    /// The bytes of a coordinate, of a scalar, and of each half of a signature.
    internal var size: Int { (rawValue + 7) / 8 }

    /// The bytes of 04, x, y.
    internal var pointSize: Int { 1 + 2 * size }
}
