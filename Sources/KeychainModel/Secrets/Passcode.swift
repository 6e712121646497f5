// SPDX-License-Identifier: Apache-2.0

/// A passcode on its way from a person to the key derivation: locked memory, wiped with the last reference.
package final class Passcode: Sendable {
    package let bytes: SecretBytes

    /// A passcode that `fill` writes; nil when it is empty or longer than anybody types.
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
