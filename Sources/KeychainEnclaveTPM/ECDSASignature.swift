// SPDX-License-Identifier: Apache-2.0

#if TPM
    /// An ECDSA signature on P-256 as X9.62 writes it: a DER sequence of two numbers.
    enum ECDSASignature {
        static func encode(r: [UInt8], s: [UInt8]) throws(Refusal) -> [UInt8] {
            let content = try number(r) + number(s)
            return [0x30, UInt8(content.count)] + content
        }

        // At most 35 bytes, so that every length here takes one byte.
        private static func number(_ bytes: [UInt8]) throws(Refusal) -> [UInt8] {
            let digits = Array(bytes.drop { $0 == 0 })
            guard !digits.isEmpty, digits.count <= 32 else { throw .malformed }
            // A number that began with a set bit would be negative.
            let sign: [UInt8] = digits[0] < 0x80 ? [] : [0]
            return [0x02, UInt8(sign.count + digits.count)] + sign + digits
        }
    }
#endif
