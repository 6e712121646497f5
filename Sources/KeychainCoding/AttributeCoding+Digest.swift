// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

extension AttributeCoding {
    /// Lends the bytes an item's SHA-1 digest is taken of: its digested attributes and its secret in one dictionary.
    ///
    /// They contain the secret, so they exist only during `body` and are wiped after it. No `data` means an item
    /// without a secret, which is another item than one whose secret is empty.
    package static func withDigestEncoding<Result: ~Copyable>(
        _ attributes: AttributeList, data: UnsafeRawBufferPointer?, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(CodingError) -> Result {
        let dataCount = unsafe data.map { $0.count }
        return try EntryPlan.withPlan(for: attributes, dataCount: dataCount, including: isDigested) { plan in
            let size = plan.encodedSize
            return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
                // Before the memory is freed, whichever way this is left.
                defer { if let start = memory.baseAddress { unsafe explicit_bzero(start, size) } }
                var writer = unsafe DERWriter(unsafeMemory: UnsafeMutableRawBufferPointer(rebasing: memory[..<size]))
                unsafe plan.write(attributes, data: data, to: &writer)
                precondition(writer.offset == size, "an item was announced with another size than it has")
                return unsafe body(UnsafeRawBufferPointer(rebasing: memory[..<size]))
            }
        }
    }

    /// Whether an attribute takes part in the digest (semantics §2.2): not what differs between copies of one item.
    private static func isDigested(_ attribute: Attribute) -> Bool {
        switch attribute {
        case .syncIdentifier, .multiUser, .digest, .accessControl: false
        default: true
        }
    }
}
