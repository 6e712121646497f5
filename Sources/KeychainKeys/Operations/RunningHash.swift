// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// The digest of bytes that come one after the other, by any function.
// Not for two threads at once, which the value types that have one see to: they copy it before they change it.
// Sendable: see above. Safe: the pointer is private, made here, and freed in deinit, which wipes it.
@safe
package final class RunningHash: @unchecked Sendable {
    private let context: OpaquePointer
    private let hash: HashFunction

    package init(_ hash: HashFunction) throws(KeyError) {
        let algorithm = try unsafe hash.algorithm
        guard let made = unsafe EVP_MD_CTX_new() else { throw .outOfMemory }
        guard unsafe EVP_DigestInit_ex(made, algorithm, nil) == 1 else {
            unsafe EVP_MD_CTX_free(made)
            throw .takeFromLibrary()
        }
        unsafe context = made
        self.hash = hash
    }

    private init(taking context: OpaquePointer, _ hash: HashFunction) {
        unsafe self.context = unsafe context
        self.hash = hash
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// One that goes on by itself from here.
    package func copy() throws(KeyError) -> RunningHash {
        guard let made = unsafe EVP_MD_CTX_new() else { throw .outOfMemory }
        guard unsafe EVP_MD_CTX_copy_ex(made, context) == 1 else {
            unsafe EVP_MD_CTX_free(made)
            throw .takeFromLibrary()
        }
        return unsafe RunningHash(taking: made, hash)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) throws(KeyError) {
        guard unsafe EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw .takeFromLibrary() }
    }

    /// The digest of all bytes so far; it goes on.
    package func digest() throws(KeyError) -> [UInt8] {
        let copy = try copy()
        var result = [UInt8](repeating: 0, count: hash.size)
        var written: UInt32 = 0
        guard unsafe EVP_DigestFinal_ex(copy.context, &result, &written) == 1, Int(written) == hash.size else {
            throw .takeFromLibrary()
        }
        return result
    }
}

/// The keyed digest (HMAC, RFC 2104) of bytes that come one after the other.
// As for RunningHash. OpenSSL wipes the key with the context.
@safe
package final class RunningMAC: @unchecked Sendable {
    private let context: OpaquePointer
    private let hash: HashFunction

    package init(_ hash: HashFunction, key: UnsafeRawBufferPointer) throws(KeyError) {
        guard let made = try unsafe EVP_MAC_CTX_new(KeyLibrary.found(KeyLibrary.hmac)) else { throw .outOfMemory }
        guard unsafe llv_keys_hmac_init(made, hash.rawValue, key.baseAddress, key.count) == 1 else {
            unsafe EVP_MAC_CTX_free(made)
            throw .takeFromLibrary()
        }
        unsafe context = made
        self.hash = hash
    }

    private init(taking context: OpaquePointer, _ hash: HashFunction) {
        unsafe self.context = unsafe context
        self.hash = hash
    }

    deinit { unsafe EVP_MAC_CTX_free(context) }

    /// One that goes on by itself from here.
    package func copy() throws(KeyError) -> RunningMAC {
        guard let made = unsafe EVP_MAC_CTX_dup(context) else { throw .takeFromLibrary() }
        return unsafe RunningMAC(taking: made, hash)
    }

    package func update(_ bytes: UnsafeRawBufferPointer) throws(KeyError) {
        guard unsafe bytes.count == 0 || EVP_MAC_update(context, bytes.baseAddress, bytes.count) == 1 else {
            throw .takeFromLibrary()
        }
    }

    /// The code of all bytes so far, written into as many bytes as the digest has; it goes on.
    package func code(into output: UnsafeMutableRawBufferPointer) throws(KeyError) {
        guard output.count == hash.size else { throw .invalidLength }
        let copy = try copy()
        var written = 0
        guard
            unsafe EVP_MAC_final(
                copy.context, output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written, output.count) == 1,
            written == output.count
        else { throw .takeFromLibrary() }
    }
}

/// Keys made from a secret: the second step of HKDF (RFC 5869 §2.3); the first is an HMAC.
// Not OpenSSL's function of that name: 3.0 takes no more than two kilobytes of information.
package enum KeyExpansion {
    /// Up to 255 times the digest's size; throws `invalidParameter` for more.
    package static func expand(
        _ secret: UnsafeRawBufferPointer, info: [UInt8], _ hash: HashFunction, count: Int
    ) throws(KeyError) -> SecretValue {
        guard (0...255 * hash.size).contains(count) else { throw .invalidParameter }
        let start = try unsafe RunningMAC(hash, key: secret)
        let block = try unsafe SecretValue(count: (count + hash.size - 1) / hash.size * hash.size) {
            (output) throws(KeyError) in
            for number in 0..<(output.count / hash.size) {
                let mac = try start.copy()
                if number > 0 {
                    let last = unsafe output[((number - 1) * hash.size)..<(number * hash.size)]
                    try unsafe mac.update(UnsafeRawBufferPointer(rebasing: last))
                }
                let tail = info + [UInt8(number + 1)]
                try unsafe tail.span.bytes.withUnsafeBytes { (tail) throws(KeyError) in try unsafe mac.update(tail) }
                try unsafe mac.code(
                    into: UnsafeMutableRawBufferPointer(
                        rebasing: output[(number * hash.size)..<((number + 1) * hash.size)]))
            }
        }
        return unsafe SecretValue(count: count) { output in
            unsafe block.withUnsafeBytes { unsafe output.copyBytes(from: $0.prefix(count)) }
        }
    }
}
