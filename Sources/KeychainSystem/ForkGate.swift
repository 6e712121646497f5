// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The gate that a fork waits at (`CLinux/fork.c`): while a thread is inside an operation, no other thread forks.
///
/// A public call is one operation from its begin to its end, so at the moment of a fork no lock of ours, of SQLite's or of
/// OpenSSL's is held that the child would inherit. What is called by a public call enters no operation of its own; the few
/// places below that do say why. Enter first and lock then: a thread that waits for the gate while it holds a lock stops
/// every thread inside the gate that wants the lock, and the fork with them.
package enum ForkGate {
    /// Runs `body` as one operation, or as a part of the one that this thread is in.
    @inlinable
    package static func operation<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        enter()
        defer { leave() }
        return try body()
    }

    /// Runs `body`, which takes long and for which no lock is held, outside of every operation that this thread is in.
    package static func suspended<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let operations = llv_operation_suspend()
        defer { llv_operation_resume(operations) }
        return try body()
    }

    @usableFromInline
    internal static func enter() { llv_operation_enter() }

    @usableFromInline
    internal static func leave() { llv_operation_leave() }
}
