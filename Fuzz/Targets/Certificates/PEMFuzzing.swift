// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange
internal import KeychainModel

/// A text with blocks of PEM.
internal enum PEMFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let blocks = blocks(in: bytes) else { return .refused }
        try promise(!blocks.isEmpty, "a text without a block is refused")
        for block in blocks {
            let content = block.content.array
            try promise(!content.isEmpty, "a block has something in it")
            try promise(
                !block.label.isEmpty && block.label.utf8.allSatisfy { (0x20...0x7E).contains($0) },
                "a label is printable")
            let text = block.content.withUnsafeBytes { PEM.text("FUZZ", of: $0) }.array
            let again = self.blocks(in: text) ?? []
            try promise(
                again.count == 1 && again[0].label == "FUZZ" && again[0].content.array == content,
                "what is written as PEM is read as the same")
            guard !RoundLimit.isCostly(content) else { return .skipped }
            for password in ["", "p"] { try check(try? PrivateKey(block, password: SecretBytes(password))) }
        }
        return .accepted
    }

    private static func check(_ key: PrivateKey?) throws(BrokenPromise) {
        if let key { try PrivateKeyFuzzing.check(key) }
    }

    private static func blocks(in text: [UInt8]) -> [PEMBlock]? {
        text.withUnsafeBytes { try? PEM.blocks(in: $0) }
    }
}
