// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainEnclave
internal import KeychainModel

/// One gate of a software enclave.
package struct GateEntry: Sendable {
    let id: GateID
    /// After how many failures it is erased; 0 for never.
    let eraseAfter: UInt32
    /// Nil once it was erased.
    var keys: GateKeys?
    var failures: UInt32 = 0
    var lastFailure: Double = 0

    package var standing: GateStanding {
        GateStanding(id: id, failures: failures, lastFailure: lastFailure, isErased: keys == nil)
    }

    /// Counts an attempt as failed, which it is until it has been checked.
    mutating func count(at now: Double) {
        if failures < .max { failures += 1 }
        lastFailure = now
    }

    mutating func forgetFailures() {
        failures = 0
        lastFailure = 0
    }
}

/// What a gate guards, and what it knows its key by.
final class GateKeys: Sendable {
    let secret: SecretBytes
    /// Tells a right key from a wrong one; says nothing of either without a search through all keys.
    let verifier: SecretBytes

    init(secret: consuming SecretBytes, verifier: consuming SecretBytes) {
        self.secret = secret
        self.verifier = verifier
    }

    /// A new secret, for whoever has `key`.
    init(for key: borrowing SecretBytes) throws(EnclaveError) {
        let secret = try SecretBytes.random(count: Self.secretSize)
        verifier = try Self.verifier(of: key, secret)
        self.secret = secret
    }

    func isOpened(by key: borrowing SecretBytes) throws(EnclaveError) -> Bool {
        try Self.verifier(of: key, secret).isEqualInConstantTime(to: verifier)
    }

    private static func verifier(
        of key: borrowing SecretBytes, _ secret: borrowing SecretBytes
    ) throws(EnclaveError) -> SecretBytes {
        // The secret has one size, so the end of the one and the beginning of the other cannot be mistaken.
        let both = unsafe SecretBytes(count: secretSize + key.count) { both in
            unsafe secret.withUnsafeBytes { unsafe both.copyMemory(from: $0) }
            unsafe key.withUnsafeBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: both[secretSize...]).copyMemory(from: $0)
            }
        }
        return try both.derived(count: verifierSize, salt: [], info: "llavero gate verifier")
    }

    static let secretSize = 32
    static let verifierSize = 16
}
