// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The name of one gate: sixteen random bytes, never used for another passcode.
package struct GateID: Sendable, Hashable {
    package let bytes: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }
}

/// A gate that was just made, and its secret: what is wrapped with the secret opens only through the gate.
package struct NewGate: ~Copyable, Sendable {
    package let id: GateID
    package let secret: SecretBytes

    package init(id: GateID, secret: consuming SecretBytes) {
        self.id = id
        self.secret = secret
    }
}

/// How a gate stands.
package struct GateStanding: Sendable, Equatable {
    package let id: GateID
    /// Wrong passcodes since the last right one.
    package let failures: UInt32
    /// When the last one was, in seconds since 2001-01-01 UTC; meaningless without failures.
    package let lastFailure: Double
    /// Whether it was erased after too many.
    package let isErased: Bool

    package init(id: GateID, failures: UInt32, lastFailure: Double, isErased: Bool) {
        self.id = id
        self.failures = failures
        self.lastFailure = lastFailure
        self.isErased = isErased
    }
}
