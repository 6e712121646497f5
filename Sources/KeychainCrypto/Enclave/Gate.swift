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
package struct GateState: Sendable, Equatable {
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

/// How long to wait after wrong passcodes: nothing for the first five, then longer and longer.
package enum AttemptDelay {
    /// Seconds between the last failure and the next attempt.
    package static func seconds(afterFailures failures: UInt32) -> UInt32 {
        switch failures {
        case 0..<5: 0
        case 5: 60
        case 6: 5 * 60
        case 7: 15 * 60
        default: 60 * 60
        }
    }

    /// What is left of the delay, in whole seconds; 0 when an attempt may be made.
    ///
    /// A clock that was set back to before the failure makes the whole delay run again, and no more than that.
    package static func remaining(of state: GateState, at now: Double) -> UInt32 {
        let delay = Double(seconds(afterFailures: state.failures))
        let passed = now - state.lastFailure
        guard passed.isFinite, passed > 0 else { return UInt32(delay) }
        return passed >= delay ? 0 : UInt32((delay - passed).rounded(.up))
    }
}
