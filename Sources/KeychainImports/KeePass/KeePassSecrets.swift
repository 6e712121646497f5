// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// What is sealed inside of a database's XML, one text after the other by one stream, and the attachments beside it.
internal struct KeePassSecrets {
    /// 64 bytes: key and nonce of ChaCha20 are the first 44; nil where nothing is sealed.
    private let key: ImportedBytes?
    internal var files: [ImportedBytes] = []
    private var stream: ImportedBytes?
    private var used = 0

    internal init(key: ImportedBytes?) { self.key = key }

    /// Makes the stream, as long as a text can be in all.
    internal mutating func prepare(count: Int) throws(ImportError) {
        guard let key else { return }
        let nonce = (32..<44).compactMap { key[$0] }
        let zeros = unsafe SecretBytes(count: count) { _ in }
        do throws(CryptoError) {
            stream = ImportedBytes(
                try unsafe zeros.withUnsafeBytes { (zeros) throws(CryptoError) in
                    try unsafe key.bytes.withUnsafeBytes { (key) throws(CryptoError) in
                        try unsafe ForeignCipher.chaCha20(
                            zeros, key: UnsafeRawBufferPointer(rebasing: key[..<32]), nonce: nonce)
                    }
                })
        } catch { throw .crypto(error) }
    }

    /// Gives no more texts: bytes were passed over, in which there may be sealed ones.
    internal mutating func breakOff() { used = stream?.count ?? 0 }

    /// The next text; nil where it is not base64.
    internal mutating func next(_ text: ImportedBytes) -> ImportedBytes? {
        guard let sealed = text.decodingBase64(text.all) else { return nil }
        guard let stream else { return sealed }
        guard used + sealed.count <= stream.count else { return nil }
        let start = used
        used += sealed.count
        return ImportedBytes(capacity: sealed.count) { output in
            for index in sealed.all {
                guard let byte = sealed[index], let key = stream[start + index] else { return false }
                output.append(byte ^ key)
            }
            return true
        }
    }
}
