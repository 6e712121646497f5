// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A persistent reference.
internal enum PersistentReferenceFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let reference = PersistentReference(bytes) else { return .refused }
        switch reference {
        case .item, .identity:
            try promise(reference.bytes == bytes, "a reference to an item is written as it was read")
            try promise(PersistentReference(reference.bytes) == reference, "a reference that is read again is the same")
        // Forms that are understood and never written.
        case .rowNumber: try promise(bytes.count == 12 && reference.bytes.isEmpty, "a row number has eight bytes")
        case .token: try promise(bytes.count > 4 && reference.bytes.isEmpty, "a token's reference names the token")
        }
        try promise(
            (reference.queriedClass == nil) == (reference == .token), "a reference names its class, but for a token's")
        return .accepted
    }
}
