// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainCrypto
internal import KeychainModel

/// A sealed item, in a row and under a keybag that are always the same.
internal enum SealedItemFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let keybag = Self.keybag, let bench = try? ItemSealer(keybag) else {
            throw BrokenPromise("the fixtures are there")
        }
        return try bytes.lendingBytes { (blob) throws(BrokenPromise) in
            guard let item = try? SealedItem(blob) else { return .refused }
            guard var binding = KeybagFixture.binding() else { throw BrokenPromise("the fixtures are there") }
            guard (try? bench.openMetadata(item, binding: &binding)) != nil else { return .refused }
            try promise(
                sealed.contains { $0.starts(with: bytes.prefix(metadataEnd(of: bytes))) },
                "attributes are opened as they were sealed")
            // Without its attributes nobody asks for a secret: it is bound to their tag alone.
            guard (try? bench.openSecret(item, binding: &binding, wantsDigest: true)) != nil else { return .refused }
            try promise(sealed.contains(bytes), "an item is opened as it was sealed")
            return .accepted
        }
    }

    /// Where the envelope of the attributes ends: header, wrapped key, length, and as many bytes as that says.
    private static func metadataEnd(of bytes: [UInt8]) -> Int {
        52 + (48..<52).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
    }

    private static let keybag = KeybagFixture.keybag()

    /// Everything that was ever sealed under this keybag.
    private static let sealed: [[UInt8]] = {
        let folder = Fixtures.url("sealed-items")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.compactMap { (try? Data(contentsOf: $0)).map { [UInt8]($0) } }
    }()
}
