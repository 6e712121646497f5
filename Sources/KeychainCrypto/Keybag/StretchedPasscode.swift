// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What a passcode becomes after scrypt: one key for its gate in the enclave, and one that only the keybag sees.
///
/// Two, so that an enclave, and an attacker who listens to a chip's wires, never has all that is needed.
package struct StretchedPasscode: ~Copyable, Sendable {
    package let gateKey: SecretBytes
    let wrappingKey: SecretBytes

    static let saltSize = 32

    /// Stretches a passcode; takes the time and the memory that the cost says.
    ///
    /// Not to be called inside a transaction or with the owner lock held.
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

/// What trying one passcode costs: the parameters of scrypt.
package struct PasscodeCost: Sendable, Equatable {
    package let log2N: UInt8
    package let r: UInt32
    package let p: UInt32

    package init(log2N: UInt8, r: UInt32, p: UInt32) {
        self.log2N = log2N
        self.r = r
        self.p = p
    }

    /// Today's: about 0.45 s and 133 MB.
    package static let standard = PasscodeCost(log2N: 17, r: 8, p: 1)
    /// For tests, which set thousands of passcodes that protect nothing.
    package static let light = PasscodeCost(log2N: 10, r: 8, p: 1)

    /// Whether trying a passcode costs less than with `other`; such a keybag is made anew when it is next unlocked.
    package func isWeaker(than other: PasscodeCost) -> Bool {
        UInt64(r) * UInt64(p) << UInt64(log2N) < UInt64(other.r) * UInt64(other.p) << UInt64(other.log2N)
    }
}

/// The key derivation of a passcode, and the gate in the enclave that belongs to this passcode alone.
package struct PasscodeParameters: Sendable, Equatable {
    package let cost: PasscodeCost
    package let salt: [UInt8]
    package let gate: GateID

    package init(cost: PasscodeCost, salt: [UInt8], gate: GateID) {
        self.cost = cost
        self.salt = salt
        self.gate = gate
    }
}

extension PasscodeParameters {
    init(_ fields: KeybagFields) throws(KeybagError) {
        guard try fields.string("kdf") == "scrypt", let log2N = UInt8(exactly: try fields.number("log2N")),
            let r = UInt32(exactly: try fields.number("r")), let p = UInt32(exactly: try fields.number("p")),
            let gate = GateID(try fields.data("gate"))
        else { throw .damaged }
        let salt = try fields.data("salt")
        guard salt.count == StretchedPasscode.saltSize else { throw .damaged }
        self.init(cost: PasscodeCost(log2N: log2N, r: r, p: p), salt: salt, gate: gate)
    }
}
