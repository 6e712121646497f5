// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// The kernel's name for the time since it was started: what was written in this one no power cut can have taken back.
package struct BootID: Sendable, Equatable {
    let high: UInt64
    let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The present one; zeros where the kernel does not say, so that nothing is taken for a power cut's work.
    package static func current() -> BootID {
        guard let file = try? LogFile.open("/proc/sys/kernel/random/boot_id", forWriting: false),
            let text = try? unsafe [UInt8](
                count: 36,
                filling: { (buffer) throws(AuditError) in
                    guard try unsafe file.read(into: buffer, at: 0) == buffer.count else { throw .system(0) }
                })
        else { return unknown }
        let digits = String(decoding: text.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return unknown }
        return BootID(high: high, low: low)
    }

    private static let unknown = BootID(high: 0, low: 0)
}
