// SPDX-License-Identifier: Apache-2.0

/// Why somebody stopped waiting before there was anything.
package enum BrokenWait: Error, Sendable {
    /// The question was taken back.
    case cancelled
    /// Nobody answered in time.
    case timedOut
    /// The system refused something that waiting needs; an errno.
    case failed(Int32)
}

/// An error that can say so.
package protocol BreakableWait: Error, Sendable {
    init(_ wait: BrokenWait)
}
