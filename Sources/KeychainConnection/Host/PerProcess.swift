// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainModel
internal import Synchronization

/// A value that belongs to one process: a forked child does not see its parent's and gets a fresh one.
///
/// What the parent had is left where it is, neither closed nor wiped: its locks may have been taken by threads that do
/// not exist here, and its files and secrets are still the parent's.
final class PerProcess<Value: Sendable>: Sendable {
    /// The value of one process.
    ///
    /// Boxes are never freed once another process has taken over.
    private final class Box: Sendable {
        let epoch = llv_fork_epoch()
        let value = ForkSafeMutex<Value?>(nil)
    }

    private let current = Atomic<Int>(0)

    /// The process's value, made by `make` when there is none; what `make` throws is not remembered.
    func get<Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        let box = box
        return try box.value.withLock { (value) throws(Failure) -> Value in
            if let value { return value }
            let made = try make()
            value = made
            return made
        }
    }

    /// The value, if one was made in this process.
    var existing: Value? { box.value.withLock { $0 } }

    /// Forgets the value; the next call makes another.
    func clear() { box.value.withLock { $0 = nil } }

    private var box: Box {
        let bits = current.load(ordering: .acquiring)
        if let box = Self.box(bits), box.epoch == llv_fork_epoch() { return box }
        let fresh = Box()
        let freshBits = unsafe Int(bitPattern: Unmanaged.passRetained(fresh).toOpaque())
        let (isOurs, winner) = current.compareExchange(
            expected: bits, desired: freshBits, ordering: .acquiringAndReleasing)
        if isOurs { return fresh }
        unsafe Unmanaged.passUnretained(fresh).release()
        return Self.box(winner) ?? fresh
    }

    private static func box(_ bits: Int) -> Box? {
        guard let pointer = unsafe UnsafeRawPointer(bitPattern: bits) else { return nil }
        return unsafe Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue()
    }
}
