// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
package import KeychainModel

extension CryptoKey {
    /// The external bytes of this part: what the importing initialiser takes.
    ///
    /// In locked memory also when they are public; those are `publicRepresentation` too. Throws `notExportable` when
    /// the key is held elsewhere.
    package func representation() throws(KeyError) -> SecretBytes {
        switch (part, material) {
        case (.public, _):
            guard let publicRepresentation else { throw .notExportable }
            return unsafe publicRepresentation.span.bytes.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes)
            }
        case (_, .holder), (_, .elsewhere): throw .notExportable
        case (_, .symmetric(let secret)):
            return unsafe secret.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
        case (_, .library(let handle)): return try privateRepresentation(handle)
        case (_, .deferred(let key)): return try privateRepresentation(key.handle())
        }
    }

    private func privateRepresentation(_ handle: LibraryHandle) throws(KeyError) -> SecretBytes {
        switch type {
        case .rsa: return try handle.rsaPrivateKey()
        case .ec:
            guard let point = publicRepresentation, let curve = Curve(bits: bits) else { throw .notExportable }
            return try unsafe handle.withUnsafePointer { (key) throws(KeyError) in
                try unsafe SecretBytes(count: point.count + curve.size) { (output) throws(KeyError) in
                    unsafe output.copyBytes(from: point)
                    let scalar = unsafe UnsafeMutableRawBufferPointer(rebasing: output[point.count...])
                    guard unsafe llv_keys_ec_scalar(key, scalar.baseAddress, scalar.count) == 1 else {
                        throw .takeFromLibrary()
                    }
                }
            }
        case .ed25519, .x25519, .ed448, .x448:
            return try unsafe handle.withUnsafePointer { (key) throws(KeyError) in
                try unsafe SecretBytes(count: blockSize) { (output) throws(KeyError) in
                    var count = output.count
                    guard
                        unsafe EVP_PKEY_get_raw_private_key(
                            key, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &count) == 1,
                        count == output.count
                    else { throw .takeFromLibrary() }
                }
            }
        case .mlkem, .mldsa: return try latticePrivateRepresentation(handle)
        case .aes: throw .notExportable
        }
    }
}

extension LibraryHandle {
    internal func rawPublicKey(size: Int) throws(KeyError) -> [UInt8] {
        try unsafe withUnsafePointer { (key) throws(KeyError) in
            var count = size
            var bytes = [UInt8](repeating: 0, count: size)
            guard unsafe EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == size else {
                throw .takeFromLibrary()
            }
            return bytes
        }
    }

    internal func rsaPublicKey() throws(KeyError) -> [UInt8] {
        let amount = LLV_KEYS_RSA_PUBLIC_NUMBERS
        return try unsafe withUnsafePointer { (key) throws(KeyError) in
            let counts = try unsafe Self.counts(key, amount)
            let bytes = try unsafe [UInt8](count: counts.reduce(0, +)) { (output) throws(KeyError) in
                try unsafe Self.copy(key, counts, into: output)
            }
            return RSANumbers.encodedPublicKey(bytes, counts)
        }
    }

    internal func rsaPrivateKey() throws(KeyError) -> SecretBytes {
        let amount = LLV_KEYS_RSA_NUMBERS
        return try unsafe withUnsafePointer { (key) throws(KeyError) in
            let counts = try unsafe Self.counts(key, amount)
            let numbers = try unsafe SecretBytes(count: counts.reduce(0, +)) { (output) throws(KeyError) in
                try unsafe Self.copy(key, counts, into: output)
            }
            return unsafe numbers.withUnsafeBytes { bytes in unsafe RSANumbers.encodedPrivateKey(bytes, counts) }
        }
    }

    private static func counts(_ key: OpaquePointer, _ amount: Int) throws(KeyError) -> [Int] {
        let counts = (0..<amount).map { unsafe llv_keys_rsa_number_size(key, Int32($0)) }
        guard !counts.contains(0) else { throw .takeFromLibrary() }
        return counts
    }

    private static func copy(
        _ key: OpaquePointer, _ counts: [Int], into output: UnsafeMutableRawBufferPointer
    ) throws(KeyError) {
        var offset = 0
        for (which, count) in counts.enumerated() {
            let place = unsafe UnsafeMutableRawBufferPointer(rebasing: output[offset..<offset + count])
            guard unsafe llv_keys_rsa_number(key, Int32(which), place.baseAddress, count) == 1 else {
                throw .takeFromLibrary()
            }
            offset += count
        }
    }
}
