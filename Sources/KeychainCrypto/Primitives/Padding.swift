// SPDX-License-Identifier: Apache-2.0

/// How long a text is made before it is sealed, so that the length of what is sealed says little.
package enum Padding {
    /// 512 bytes, then 1 024, then PADMÉ: a length whose binary form ends in zeros, at most an eighth more.
    ///
    /// nil when the text is longer than `largest`.
    // PADMÉ (Nikitin et al., 2019): of a length of E + 1 bits only the first ⌊log₂ E⌋ + 2 may be other than zero.
    package static func size(for count: Int) -> Int? {
        guard (0...largest).contains(count) else { return nil }
        if count <= 512 { return 512 }
        if count <= 1024 { return 1024 }
        let exponent = bits(count) - 1
        let mask = 1 << (exponent - bits(exponent)) - 1
        return (count + mask) & ~mask
    }

    private static func bits(_ number: Int) -> Int { Int.bitWidth - number.leadingZeroBitCount }

    package static let largest = 1 << 20
}
