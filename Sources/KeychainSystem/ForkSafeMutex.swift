// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// A value only one thread uses at a time, behind a lock that still works in a forked child.
///
/// Synchronization's `Mutex` does not: on Linux it keeps the number of the thread that first locked one, and in a
/// child that number belongs to the parent's thread, so the child's first contended lock ends the program.
/// To have it locked is an operation to the `ForkGate`: locks are also taken outside of public calls, by threads of our own and
/// with the last reference to an object, and a fork must never copy one that another thread holds.
// Sendable: `value` is reached only between acquire and release. Safe: both are allocated in init, freed in deinit, and never
// handed out.
@safe
package final class ForkSafeMutex<Value: ~Copyable>: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    // In memory of its own: that no two accesses meet is the lock's work, and Swift's own check of it costs as much as the lock.
    @usableFromInline internal let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        unsafe self.value = .allocate(capacity: 1)
        unsafe self.value.initialize(to: value)
        unsafe lock = .allocate(capacity: 1)
        unsafe lock.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(lock, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
    }

    /// Runs `body` alone with the value.
    ///
    /// Locking it again inside waits for ever.
    @inlinable
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        acquire()
        defer { release() }
        return try unsafe body(&value.pointee)
    }

    @usableFromInline
    internal func acquire() {
        // Before the lock, never after it: a fork waits for every thread inside an operation, and so a child never finds
        // this locked by a thread that it does not have.
        llv_operation_enter()
        let failure = unsafe pthread_mutex_lock(lock)
        precondition(failure == 0, "a mutex was used after it was destroyed")
    }

    @usableFromInline
    internal func release() {
        unsafe pthread_mutex_unlock(lock)
        llv_operation_leave()
    }

    /// Runs `body` alone with the value unless another thread has it now; for what must never wait.
    package func withLockIfFree<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result? {
        llv_operation_enter()
        defer { llv_operation_leave() }
        guard unsafe pthread_mutex_trylock(lock) == 0 else { return nil }
        defer { unsafe pthread_mutex_unlock(lock) }
        return unsafe body(&value.pointee)
    }
}
