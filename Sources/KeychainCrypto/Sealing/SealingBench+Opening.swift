// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainCoding
package import KeychainModel

/// What a secret envelope holds.
package struct OpenedSecret: Sendable {
    /// The item's secret, or nil for an item stored without one.
    package let data: SecretValue?
    /// The SHA-1 of the item's attributes and secret as they were when it was written; nil when it was not wanted.
    package let digest: [UInt8]?
}

extension SealingBench {
    /// Opens the attributes alone; the secret stays sealed.
    ///
    /// The binding must be a row's own, untouched so far.
    package func openMetadata(
        _ item: SealedItem, binding: inout RowBinding
    ) throws(SealingError) -> AttributeList {
        unsafe binding.bind(header: item.header)
        let wraps = try unsafe wraps(of: item.accessibility, generation: item.generation)
        let count = unsafe item.metadata.count - SealedItem.tagCount
        return try unsafe withWipedMemory(count) { (plain) throws(SealingError) in
            try unsafe open(item.wrappedMetadataKey, with: wraps.metadata, item.metadata, binding, into: plain)
            do throws(CodingError) { return try unsafe AttributeCoding.decode(UnsafeRawBufferPointer(plain)) } catch {
                throw .undecodable
            }
        }
    }

    /// Opens the secret, after the attributes: the binding goes on from them.
    package func openSecret(
        _ item: SealedItem, binding: inout RowBinding, wantsDigest: Bool
    ) throws(SealingError) -> OpenedSecret {
        unsafe binding.bindSecret(toMetadataTag: item.metadataTag)
        let wraps = try unsafe wraps(of: item.accessibility, generation: item.generation)
        let count = unsafe item.secret.count - SealedItem.tagCount
        return try unsafe withWipedMemory(count) { (plain) throws(SealingError) in
            try unsafe open(item.wrappedSecretKey, with: wraps.secret, item.secret, binding, into: plain)
            let whole = UnsafeRawBufferPointer(plain)
            guard let content = unsafe SecretPadding.content(of: whole) else { throw .undecodable }
            let ranges: (dataRange: Range<Int>?, digestRange: Range<Int>)
            do throws(CodingError) { ranges = try unsafe SecretCoding.decode(content) } catch { throw .undecodable }
            let data = ranges.dataRange.map {
                unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: content[$0]))
            }
            return unsafe OpenedSecret(data: data, digest: wantsDigest ? Array(content[ranges.digestRange]) : nil)
        }
    }

    private func open(
        _ wrappedKey: UnsafeRawBufferPointer, with wrap: KeyWrap, _ sealed: UnsafeRawBufferPointer,
        _ binding: RowBinding, into plain: UnsafeMutableRawBufferPointer
    ) throws(SealingError) {
        try unsafe withWipedMemory(32) { (key) throws(SealingError) in
            do throws(CryptoError) {
                try unsafe wrap.unwrap(wrappedKey, into: key)
                try unsafe binding.bytes.lendingBytes { (additional) throws(CryptoError) in
                    try unsafe oneTime.open(
                        key: UnsafeRawBufferPointer(key), additional: additional, sealed: sealed, into: plain)
                }
            } catch { throw error == .authenticationFailed ? .undecodable : .crypto(error) }
        }
    }

    /// Lends memory that is wiped afterwards, whichever way it is left.
    func withWipedMemory<Result>(
        _ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws(SealingError) -> Result
    ) throws(SealingError) -> Result {
        let outcome = unsafe withUnsafeTemporaryAllocation(byteCount: max(count, 1), alignment: 8) {
            memory -> Swift.Result<Result, SealingError> in
            defer { if let start = memory.baseAddress { unsafe llv_wipe(start, memory.count) } }
            do throws(SealingError) {
                return .success(try unsafe body(UnsafeMutableRawBufferPointer(rebasing: memory[0..<count])))
            } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}
