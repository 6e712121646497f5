// SPDX-License-Identifier: Apache-2.0

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
    package static func remaining(of standing: GateStanding, at now: Double) -> UInt32 {
        let delay = Double(seconds(afterFailures: standing.failures))
        let passed = now - standing.lastFailure
        guard passed.isFinite, passed > 0 else { return UInt32(delay) }
        return passed >= delay ? 0 : UInt32((delay - passed).rounded(.up))
    }
}
