// SPDX-License-Identifier: Apache-2.0

/// What became of an input.
package enum FuzzOutcome: Sendable {
    /// It was taken, and every promise about it was kept.
    case accepted
    case refused
    /// It was not tried: nothing is learnt from the time it would take.
    case skipped
}

/// A parser did not do what it says it does.
///
/// It carries what was expected, not the input: that is in a file.
package struct BrokenPromise: Error, CustomStringConvertible {
    package let description: String

    internal init(_ promise: StaticString) { description = "not so: \(promise)" }
}

/// Throws unless the promise is kept.
internal func promise(_ isKept: @autoclosure () -> Bool, _ promise: StaticString) throws(BrokenPromise) {
    guard isKept() else { throw BrokenPromise(promise) }
}
