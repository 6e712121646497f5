// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
internal import KeychainModel

extension CryptoKey {
    /// Makes a private key, or a symmetric one.
    ///
    /// A large RSA key takes seconds to minutes, during which `goesOn` is asked again and again; when it says no, this
    /// throws. Throws `unsupportedKey` for a size that `KeyType.allows` does not.
    package static func generate(
        _ type: KeyType, bits: Int, goesOn: () -> Bool = { true }
    ) throws(KeyError) -> CryptoKey {
        guard type.allows(bits: bits) else { throw .unsupportedKey }
        switch type {
        case .rsa: return try generateRSA(bits: bits, goesOn)
        case .ec: return try generateEC(bits: bits)
        case .ed25519, .x25519, .ed448, .x448: return try generateRaw(type, bits: bits)
        case .aes:
            do throws(CryptoError) {
                let secret = try unsafe SecretValue(count: bits / 8) { (output) throws(CryptoError) in
                    try unsafe fillRandom(output)
                }
                return CryptoKey(
                    .aes, .symmetric, bits: bits, publicRepresentation: nil, material: .symmetric(secret))
            } catch { throw KeyError(error) }
        }
    }

    private static func generateRSA(bits: Int, _ goesOn: () -> Bool) throws(KeyError) -> CryptoKey {
        // The library hands a pointer to what it asks; it is used until the function returns, and no longer.
        let made = withoutActuallyEscaping(goesOn) { goesOn in
            var question = ProgressQuestion(goesOn: goesOn)
            return unsafe withUnsafeMutablePointer(to: &question) { question in
                unsafe llv_keys_generate_rsa(KeyLibrary.context, bits, question) { question in
                    let goesOn = unsafe question?.assumingMemoryBound(to: ProgressQuestion.self).pointee.goesOn()
                    return goesOn == false ? 0 : 1
                }
            }
        }
        let handle = try unsafe LibraryHandle(made)
        let publicBytes = try handle.rsaPublicKey()
        return CryptoKey(
            .rsa, .private, bits: bits, publicRepresentation: publicBytes, material: .library(handle))
    }

    private static func generateEC(bits: Int) throws(KeyError) -> CryptoKey {
        guard let curve = Curve(bits: bits) else { throw .unsupportedKey }
        let handle = try unsafe LibraryHandle(llv_keys_generate_ec(KeyLibrary.context, Int32(bits)))
        let point = try unsafe handle.withUnsafePointer { (key) throws(KeyError) in
            try unsafe [UInt8](count: curve.pointSize) { (output) throws(KeyError) in
                guard unsafe llv_keys_ec_point(key, output.baseAddress, output.count) == 1 else {
                    throw .takeFromLibrary()
                }
            }
        }
        return CryptoKey(.ec, .private, bits: bits, publicRepresentation: point, material: .library(handle))
    }

    private static func generateRaw(_ type: KeyType, bits: Int) throws(KeyError) -> CryptoKey {
        guard let size = type.rawSize else { throw .unsupportedKey }
        let handle = try unsafe LibraryHandle(llv_keys_generate_raw(KeyLibrary.context, Int32(type.rawValue)))
        let publicBytes = try handle.rawPublicKey(size: size)
        return CryptoKey(type, .private, bits: bits, publicRepresentation: publicBytes, material: .library(handle))
    }
}

private struct ProgressQuestion {
    let goesOn: () -> Bool
}
