// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

extension SealingBench {
    /// Seals an item into its row.
    ///
    /// The attributes include everything that is bound; the digest is taken here.
    package func seal(
        _ attributes: AttributeList, secret: SecretValue?, accessibility: Accessibility, binding: RowBinding
    ) throws(SealingError) -> [UInt8] {
        let generation = keybag.header.generation
        let wraps = try wrapsForSealing(accessibility)
        let metadata: [UInt8]
        do throws(CodingError) { metadata = try AttributeCoding.encode(attributes) } catch { throw .unencodable }
        guard unsafe UInt32(exactly: metadata.count + SealedItem.tagCount) != nil else { throw .unencodable }
        let secretCount = SecretPadding.paddedSize(SecretCoding.encodedSize(dataCount: secret?.count))
        let metadataAt = unsafe SealedItem.headerCount + SealedItem.wrappedKeyCount + 4
        let secretKeyAt = unsafe metadataAt + metadata.count + SealedItem.tagCount
        let secretAt = unsafe secretKeyAt + SealedItem.wrappedKeyCount
        var binding = binding
        return try unsafe [UInt8](count: secretAt + secretCount + SealedItem.tagCount) { (blob) throws(SealingError) in
            unsafe blob[0] = SealedItem.magic.0
            unsafe blob[1] = SealedItem.magic.1
            unsafe blob[2] = SealedItem.version
            unsafe blob[3] = accessibility.rawValue
            unsafe blob.storeBytes(of: generation.littleEndian, toByteOffset: 4, as: UInt32.self)
            unsafe blob.storeBytes(
                of: UInt32(metadata.count + SealedItem.tagCount).littleEndian, toByteOffset: metadataAt - 4,
                as: UInt32.self)
            unsafe binding.bind(header: UnsafeRawBufferPointer(rebasing: blob[0..<SealedItem.headerCount]))
            try unsafe withWipedMemory(64) { (keys) throws(SealingError) in
                do throws(CryptoError) { try unsafe fillRandom(keys) } catch { throw .crypto(error) }
                let metadataKey = unsafe UnsafeRawBufferPointer(rebasing: keys[0..<32])
                let secretKey = unsafe UnsafeRawBufferPointer(rebasing: keys[32..<64])
                try unsafe wrapKey(
                    metadataKey, with: wraps.metadata, into: blob, at: SealedItem.headerCount)
                try unsafe metadata.lendingBytes { (plain) throws(SealingError) in
                    try unsafe seal(
                        plain, key: metadataKey, binding,
                        into: UnsafeMutableRawBufferPointer(rebasing: blob[metadataAt..<secretKeyAt]))
                }
                unsafe binding.bindSecret(
                    toMetadataTag: UnsafeRawBufferPointer(
                        rebasing: blob[(secretKeyAt - SealedItem.tagCount)..<secretKeyAt]))
                try unsafe wrapKey(secretKey, with: wraps.secret, into: blob, at: secretKeyAt)
                try unsafe withWipedMemory(secretCount) { (plain) throws(SealingError) in
                    try unsafe writeSecret(secret, of: attributes, into: plain)
                    try unsafe seal(
                        UnsafeRawBufferPointer(plain), key: secretKey, binding,
                        into: UnsafeMutableRawBufferPointer(rebasing: blob[secretAt...]))
                }
            }
        }
    }

    private func wrapKey(
        _ key: UnsafeRawBufferPointer, with wrap: KeyWrap, into blob: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(SealingError) {
        let place = unsafe UnsafeMutableRawBufferPointer(
            rebasing: blob[offset..<(offset + SealedItem.wrappedKeyCount)])
        do throws(CryptoError) { try unsafe wrap.wrap(key, into: place) } catch { throw .crypto(error) }
    }

    private func seal(
        _ plain: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ binding: RowBinding,
        into sealed: UnsafeMutableRawBufferPointer
    ) throws(SealingError) {
        do throws(CryptoError) {
            try unsafe binding.bytes.lendingBytes { (additional) throws(CryptoError) in
                try unsafe oneTime.seal(key: key, additional: additional, plain: plain, into: sealed)
            }
        } catch { throw .crypto(error) }
    }

    /// The padded plaintext of the secret envelope: digest and secret.
    ///
    /// `plain` comes zeroed in no way.
    private func writeSecret(
        _ secret: SecretValue?, of attributes: AttributeList, into plain: UnsafeMutableRawBufferPointer
    ) throws(SealingError) {
        let data = unsafe secret.map { unsafe UnsafeRawBufferPointer(start: $0.bytes, count: $0.count) }
        defer { withExtendedLifetime(secret) {} }
        let digest = try unsafe digest(of: attributes, data: data)
        let count = SecretCoding.encodedSize(dataCount: secret?.count)
        unsafe digest.withUnsafeBytes { digest in
            unsafe SecretCoding.encode(
                data: data, digest: digest, into: UnsafeMutableRawBufferPointer(rebasing: plain[0..<count]))
        }
        unsafe plain[count] = 0x80
        for index in count + 1..<plain.count { unsafe plain[index] = 0 }
    }

    private func digest(
        of attributes: AttributeList, data: UnsafeRawBufferPointer?
    ) throws(SealingError) -> [UInt8] {
        let outcome: Result<[UInt8], CryptoError>
        do throws(CodingError) {
            outcome = try unsafe AttributeCoding.withDigestEncoding(attributes, data: data) { bytes in
                do throws(CryptoError) { return .success(try unsafe Digest.sha1(bytes)) } catch {
                    return .failure(error)
                }
            }
        } catch { throw .unencodable }
        do throws(CryptoError) { return try outcome.get() } catch { throw .crypto(error) }
    }
}
