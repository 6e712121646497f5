// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A secret in locked memory: filled in place, lent by closure, wiped when it ends.
///
/// It cannot be copied, compared with `==`, encoded or printed; the compiler refuses each.
/// In a forked child the secrets of the parent are abandoned: they lend an empty buffer.
// Sendable: the bytes are written in an initialiser, before anyone else has the value, and wiped in deinit, after
// everyone has let go of it. In between they are only read.
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    package let count: Int
    private let slot: SecretArena.Slot

    /// A secret that `fill` writes into `count` zeroed bytes.
    ///
    /// What `fill` throws is thrown, and nothing is kept.
    package init<Failure: Error>(
        count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let slot = SecretArena.shared.allocate(count)
        do throws(Failure) {
            try unsafe fill(UnsafeMutableRawBufferPointer(start: slot.start, count: count))
        } catch {
            SecretArena.shared.free(slot, count: count)
            throw error
        }
        // Last: were `self` complete earlier, deinit would run on a throw and free the slot a second time.
        self.count = count
        self.slot = slot
    }

    /// A secret of the same bytes.
    ///
    /// The caller still has to wipe its own.
    package init(copying bytes: UnsafeRawBufferPointer) {
        let slot = SecretArena.shared.allocate(bytes.count)
        unsafe UnsafeMutableRawBufferPointer(start: slot.start, count: bytes.count).copyMemory(from: bytes)
        count = bytes.count
        self.slot = slot
    }

    deinit {
        SecretArena.shared.free(slot, count: count)
    }

    /// Whether the secret belongs to the process this one was forked from.
    package var isAbandoned: Bool {
        slot.epoch != llv_fork_epoch()
    }

    /// Lends the bytes to `body`; an empty buffer when the secret is abandoned.
    @inlinable
    package borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(unsafeBytes)
    }

    /// Compares in a time that depends on the sizes alone.
    ///
    /// An abandoned secret equals nothing.
    package borrowing func isEqualInConstantTime(to other: borrowing SecretBytes) -> Bool {
        guard count == other.count, !isAbandoned, !other.isAbandoned else { return false }
        return unsafe llv_is_equal_in_constant_time(slot.start, other.slot.start, count)
    }

    /// Whether every byte is zero, found in a time that depends on the size alone.
    ///
    /// True of an abandoned secret.
    package var isAllZero: Bool {
        // True when abandoned, because the caller wants to refuse a key without bytes.
        if isAbandoned { return true }
        return unsafe llv_is_zero_in_constant_time(slot.start, count)
    }

    /// A second secret of the same bytes; an empty one when this is abandoned.
    package borrowing func clone() -> SecretBytes {
        unsafe SecretBytes(copying: unsafeBytes)
    }

    // Not generic and not inlined, so that the generic functions above can be.
    @usableFromInline
    internal var unsafeBytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: slot.start, count: isAbandoned ? 0 : count)
    }
}

/// A passcode on its way from a person to the key derivation: locked memory, wiped with the last reference.
package final class Passcode: Sendable {
    package let bytes: SecretBytes

    /// A passcode that `fill` writes; nil when it is empty or longer than 1000 bytes.
    package init?<Failure: Error>(
        count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        guard (1...Self.longest).contains(count) else { return nil }
        bytes = try unsafe SecretBytes(count: count, filling: fill)
    }

    /// A passcode of the same bytes; the caller still has to wipe its own.
    package convenience init?(copying source: UnsafeRawBufferPointer) {
        unsafe self.init(count: source.count) { unsafe $0.copyMemory(from: source) }
    }

    /// With room beside it in one slot of the locked arena.
    package static let longest = 1000
}

extension Passcode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "Passcode(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
