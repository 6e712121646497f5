// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The exponent of an RSA key for one of its primes, which OpenSSH's files leave out.
enum RSAExponent {
    /// `exponent` modulo `prime` - 1, without leading zeros; both big-endian.
    ///
    /// nil when it is zero, or the prime is none.
    static func reduced(_ exponent: SecretValue, for prime: SecretValue) -> SecretValue? {
        guard let last = prime.byte(at: prime.count - 1), last & 1 == 1, prime.count >= 8, prime.byte(at: 0) != 0 else {
            return nil
        }
        // Limb 0 is the least; one more than the modulus has, for the bit that is shifted out.
        let limbs = (prime.count + 3) / 4 + 1
        let work = unsafe SecretValue(count: limbs * 12) { buffer in
            let words = unsafe buffer.bindMemory(to: UInt32.self)
            let modulus = unsafe UnsafeMutableBufferPointer(rebasing: words[..<limbs])
            let rest = unsafe UnsafeMutableBufferPointer(rebasing: words[limbs..<(2 * limbs)])
            let less = unsafe UnsafeMutableBufferPointer(rebasing: words[(2 * limbs)...])
            for index in 0..<prime.count {
                let place = prime.count - 1 - index
                unsafe modulus[index / 4] |= UInt32(prime.byte(at: place) ?? 0) << UInt32(8 * (index % 4))
            }
            // An odd number less one.
            unsafe modulus[0] -= 1
            for index in 0..<(exponent.count * 8) {
                let bit = UInt32(exponent.byte(at: index / 8) ?? 0) >> UInt32(7 - index % 8) & 1
                unsafe step(rest, less, modulus, bit)
            }
        }
        return number(work, from: limbs, count: limbs)
    }

    /// Doubles `rest`, adds a bit, and takes the modulus off once where it fits; in the same time either way.
    private static func step(
        _ rest: UnsafeMutableBufferPointer<UInt32>, _ less: UnsafeMutableBufferPointer<UInt32>,
        _ modulus: UnsafeMutableBufferPointer<UInt32>, _ bit: UInt32
    ) {
        var (carry, borrow) = (bit, UInt32(0))
        for index in rest.indices {
            let doubled = unsafe rest[index] << 1 | carry
            carry = unsafe rest[index] >> 31
            unsafe rest[index] = doubled
            let difference = unsafe UInt64(doubled) &- UInt64(modulus[index]) &- UInt64(borrow)
            unsafe less[index] = UInt32(truncatingIfNeeded: difference)
            borrow = UInt32(truncatingIfNeeded: difference >> 63)
        }
        let keep = 0 &- borrow
        for index in rest.indices { unsafe rest[index] = rest[index] & keep | less[index] & ~keep }
    }

    private static func number(_ work: SecretValue, from first: Int, count limbs: Int) -> SecretValue? {
        func byte(_ index: Int) -> UInt8 {
            let word = unsafe work.bytes.load(fromByteOffset: (first + index / 4) * 4, as: UInt32.self)
            return UInt8(truncatingIfNeeded: word >> UInt32(8 * (index % 4)))
        }
        var size = limbs * 4
        while size > 0, byte(size - 1) == 0 { size -= 1 }
        guard size > 0 else { return nil }
        return unsafe SecretValue(count: size) { output in
            for index in 0..<size { unsafe output[index] = byte(size - 1 - index) }
        }
    }
}
