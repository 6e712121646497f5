// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
package import KeychainModel

/// Keys of ML-KEM and ML-DSA: made, out of their seeds and out of their external bytes.
extension CryptoKey {
    /// The set of parameters of such a key; nil of any other.
    internal var latticeParameters: LatticeParameters? { LatticeParameters(type, bits: bits) }

    internal static func generateLattice(_ type: KeyType, bits: Int) throws(KeyError) -> CryptoKey {
        guard let parameters = LatticeParameters(type, bits: bits) else { throw .unsupportedKey }
        try parameters.requireOffered()
        let handle = try unsafe LibraryHandle(llv_lattice_generate(KeyLibrary.context, parameters.name))
        return try CryptoKey(parameters, handle)
    }

    private convenience init(_ parameters: LatticeParameters, _ handle: LibraryHandle) throws(KeyError) {
        let publicBytes = try handle.rawPublicKey(size: parameters.publicSize)
        self.init(
            parameters.type, .private, bits: parameters.bits, publicRepresentation: publicBytes,
            material: .library(handle))
    }

    /// The private key that is computed from a seed: d and z of ML-KEM, ξ of ML-DSA.
    ///
    /// Throws `malformed` for one of another size, and `notOffered`.
    package convenience init(
        _ parameters: LatticeParameters, seed: UnsafeRawBufferPointer
    ) throws(KeyError) {
        guard seed.count == parameters.seedSize else { throw .malformed }
        try parameters.requireOffered()
        let handle = try unsafe LibraryHandle(
            llv_lattice_of_seed(KeyLibrary.context, parameters.name, seed.baseAddress, seed.count), orThrow: .malformed)
        try self.init(parameters, handle)
    }

    /// The seed of a private key that was made here or computed from one.
    ///
    /// Throws `notExportable` when it was read from its external bytes, which do not have it.
    package func seed() throws(KeyError) -> SecretBytes {
        guard let parameters = latticeParameters, part == .private else { throw .notExportable }
        return try unsafe handle().withUnsafePointer { (key) throws(KeyError) in
            try unsafe SecretBytes(count: parameters.seedSize) { (output) throws(KeyError) in
                guard unsafe llv_lattice_seed(key, output.baseAddress, output.count) == 1 else {
                    throw .takeFromLibrary(as: .notExportable)
                }
            }
        }
    }

    /// A public key as the standards encode it, or that and behind it the expanded private key.
    internal convenience init(
        lattice type: KeyType, _ part: KeyPart, _ bytes: UnsafeRawBufferPointer
    ) throws(KeyError) {
        guard let parameters = LatticeParameters(type, part, size: bytes.count) else { throw .malformed }
        try parameters.requireOffered()
        let publicBytes = unsafe Array(bytes.prefix(parameters.publicSize))
        let own = unsafe UnsafeRawBufferPointer(
            rebasing: part == .private ? bytes.dropFirst(parameters.publicSize) : bytes[...])
        let handle = try unsafe LibraryHandle(
            part == .private
                ? llv_lattice_private(KeyLibrary.context, parameters.name, own.baseAddress, own.count)
                : llv_lattice_public(KeyLibrary.context, parameters.name, own.baseAddress, own.count),
            orThrow: .malformed)
        if part == .private {
            guard try handle.rawPublicKey(size: parameters.publicSize) == publicBytes else { throw .mismatchedHalves }
        }
        self.init(
            type, part, bits: parameters.bits, publicRepresentation: publicBytes, material: .library(handle))
    }

    internal func latticePrivateRepresentation(_ handle: LibraryHandle) throws(KeyError) -> SecretBytes {
        guard let parameters = latticeParameters, let publicRepresentation else { throw .notExportable }
        return try unsafe handle.withUnsafePointer { (key) throws(KeyError) in
            let count = parameters.publicSize + parameters.privateSize
            return try unsafe SecretBytes(count: count) { (output) throws(KeyError) in
                unsafe output.copyBytes(from: publicRepresentation)
                let own = unsafe UnsafeMutableRawBufferPointer(rebasing: output[parameters.publicSize...])
                var written = own.count
                guard
                    unsafe EVP_PKEY_get_raw_private_key(
                        key, own.baseAddress?.assumingMemoryBound(to: UInt8.self), &written) == 1,
                    written == own.count
                else { throw .takeFromLibrary() }
            }
        }
    }

    /// The SHA3-256 of the public half, by which CryptoKit tells that a seed is whole.
    package func publicKeyChecksum() throws(KeyError) -> [UInt8] {
        guard let publicRepresentation else { throw .unsupportedKey }
        var digest = [UInt8](repeating: 0, count: 32)
        var written = digest.count
        guard
            unsafe EVP_Q_digest(
                KeyLibrary.context, "SHA3-256", nil, publicRepresentation, publicRepresentation.count, &digest,
                &written) == 1,
            written == digest.count
        else { throw .takeFromLibrary() }
        return digest
    }
}

extension KeyOutline {
    /// What the external bytes show by their size, also where OpenSSL cannot read them.
    internal init(lattice type: KeyType, _ part: KeyPart, _ bytes: UnsafeRawBufferPointer) throws(KeyError) {
        guard let parameters = LatticeParameters(type, part, size: bytes.count) else { throw .malformed }
        self.init(type, part, parameters.bits, unsafe Array(bytes.prefix(parameters.publicSize)))
    }
}

/// What the keys do: ML-DSA signs, ML-KEM makes and opens secrets.
extension CryptoKey {
    /// A signature by ML-DSA, bound to `context`; another one every time.
    ///
    /// Throws `unsupportedAlgorithm`, and `invalidParameter` for a context of more than 255 bytes.
    package func signLattice(_ message: UnsafeRawBufferPointer, context: [UInt8] = []) throws(KeyError) -> [UInt8] {
        guard type == .mldsa, part == .private, let parameters = latticeParameters else { throw .unsupportedAlgorithm }
        guard context.count <= LatticeParameters.largestContext else { throw .invalidParameter }
        return try unsafe handle().withUnsafePointer { (key) throws(KeyError) in
            try unsafe output(atMost: parameters.outputSize) { (output, count) in
                unsafe llv_lattice_sign(
                    KeyLibrary.context, key, output, &count, context, context.count, message.baseAddress, message.count)
            }
        }
    }

    /// Whether `signature` is one by ML-DSA of the message and the context; false also when it is malformed.
    package func verifyLattice(
        _ signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer, context: [UInt8] = []
    ) throws(KeyError) -> Bool {
        guard type == .mldsa, part == .public else { throw .unsupportedAlgorithm }
        guard context.count <= LatticeParameters.largestContext else { return false }
        return try unsafe handle().withUnsafePointer { (key) throws(KeyError) in
            try unsafe Self.answer(
                llv_lattice_verify(
                    KeyLibrary.context, key, signature.baseAddress, signature.count, context, context.count,
                    message.baseAddress, message.count))
        }
    }

    /// A new secret and, encapsulated for the private half, the same; throws `unsupportedAlgorithm`.
    package func encapsulate() throws(KeyError) -> (secret: SecretValue, encapsulated: [UInt8]) {
        guard type == .mlkem, part == .public, let parameters = latticeParameters else { throw .unsupportedAlgorithm }
        return try unsafe handle().withUnsafePointer { (key) throws(KeyError) in
            var encapsulated = [UInt8](repeating: 0, count: parameters.outputSize)
            let secret = try unsafe SecretValue(count: LatticeParameters.sharedSecretSize) {
                (output) throws(KeyError) in
                guard
                    unsafe llv_lattice_encapsulate(
                        KeyLibrary.context, key, &encapsulated, encapsulated.count, output.baseAddress, output.count)
                        == 1
                else { throw .takeFromLibrary() }
            }
            return (secret, encapsulated)
        }
    }

    /// The secret that was encapsulated for this private key; something random for what was changed, as FIPS 203 wants.
    ///
    /// Throws `unsupportedAlgorithm`, and `invalidLength` for another number of bytes.
    package func decapsulate(_ encapsulated: UnsafeRawBufferPointer) throws(KeyError) -> SecretValue {
        guard type == .mlkem, part == .private, let parameters = latticeParameters else { throw .unsupportedAlgorithm }
        guard encapsulated.count == parameters.outputSize else { throw .invalidLength }
        return try unsafe handle().withUnsafePointer { (key) throws(KeyError) in
            try unsafe SecretValue(count: LatticeParameters.sharedSecretSize) { (output) throws(KeyError) in
                guard
                    unsafe llv_lattice_decapsulate(
                        KeyLibrary.context, key, output.baseAddress, output.count, encapsulated.baseAddress,
                        encapsulated.count) == 1
                else { throw .takeFromLibrary() }
            }
        }
    }
}
