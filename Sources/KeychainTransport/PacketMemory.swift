// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainWire

/// Room for one packet, which may have secrets in it: wiped after each, and at the end.
// Not shared: one thread reads or writes with it.
@safe
package final class PacketMemory {
    // Safe: allocated here, of that size, and freed when nobody has it any more.
    private let memory: UnsafeMutableRawPointer
    private let size = WireFrame.largestPacket

    package init() { unsafe memory = .allocate(byteCount: size, alignment: 16) }

    deinit {
        unsafe llv_wipe(memory, size)
        unsafe memory.deallocate()
    }

    /// Lends the whole of it; afterwards, as many bytes are wiped as `body` says it used.
    func lend<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer, inout Int) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var used = size
        defer { unsafe llv_wipe(memory, used) }
        return try unsafe body(UnsafeMutableRawBufferPointer(start: memory, count: size), &used)
    }
}

@available(*, unavailable)
extension PacketMemory: Sendable {}
