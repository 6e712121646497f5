// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What a passcode becomes after scrypt: one key for its gate in the enclave, and one that only the keybag sees.
///
/// Two, so that an enclave, and whoever listens to a chip's wires, never has all that is needed.
package struct StretchedPasscode: ~Copyable, Sendable {
    package let gateKey: SecretBytes
    let wrappingKey: SecretBytes

    static let saltSize = 32

    /// Stretches a passcode; takes the time and the memory that the cost says.
    ///
    /// Not for inside a transaction or the owner's turn.
    package init(
        _ passcode: borrowing SecretBytes, salt: [UInt8], cost: PasscodeCost
    ) throws(CryptoError) {
        let both = try unsafe SecretBytes(count: 64) { (buffer) throws(CryptoError) in
            try unsafe passcode.withUnsafeBytes { (passcode) throws(CryptoError) in
                try unsafe KeyDerivation.scrypt(
                    passcode: passcode, salt: salt, log2N: cost.log2N, r: cost.r, p: cost.p, into: buffer)
            }
        }
        gateKey = unsafe both.withUnsafeBytes {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[0..<32]))
        }
        wrappingKey = unsafe both.withUnsafeBytes {
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[32..<64]))
        }
    }

    package static func freshSalt() throws(CryptoError) -> [UInt8] {
        try unsafe [UInt8](count: saltSize) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
    }
}
