// SPDX-License-Identifier: Apache-2.0

import CLimit

/// The cryptography of the limit: one-shot HMAC, AES-256-GCM with the key set and a nonce drawn for every seal.
final class LimitCipher {
    typealias Bytes = UnsafeMutablePointer<UInt8>
    typealias ConstantBytes = UnsafePointer<UInt8>

    static let key = 32
    static let nonce = 12
    static let tag = 16
    /// How many bytes sealed data is longer than what was sealed.
    static let overhead = nonce + tag

    let classKey = Bytes.allocate(capacity: key)
    private let indexKey = Bytes.allocate(capacity: key)
    private let context: OpaquePointer
    private let gcm: OpaquePointer

    init(hasFixedKeys: Bool) throws(WrongResult) {
        guard let context = EVP_CIPHER_CTX_new(), let gcm = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil) else {
            throw WrongResult("OpenSSL has no AES-256-GCM")
        }
        self.context = context
        self.gcm = gcm
        if hasFixedKeys {
            classKey.initialize(repeating: 1, count: Self.key)
            indexKey.initialize(repeating: 2, count: Self.key)
        } else {
            RAND_bytes(classKey, Int32(Self.key))
            RAND_bytes(indexKey, Int32(Self.key))
        }
    }

    deinit {
        EVP_CIPHER_CTX_free(context)
        EVP_CIPHER_free(gcm)
        classKey.deallocate()
        indexKey.deallocate()
    }

    /// Seals `count` bytes into `output`; returns how many that has become.
    func seal(_ plain: ConstantBytes, _ count: Int, under key: ConstantBytes, into output: Bytes) -> Int {
        var written: Int32 = 0
        var final: Int32 = 0
        RAND_bytes(output, Int32(Self.nonce))
        EVP_EncryptInit_ex2(context, gcm, key, output, nil)
        EVP_EncryptUpdate(context, output + Self.nonce, &written, plain, Int32(count))
        EVP_EncryptFinal_ex(context, output + Self.nonce + Int(written), &final)
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tag), output + Self.nonce + count)
        return count + Self.overhead
    }

    /// Opens `count` sealed bytes into `output`.
    func open(
        _ sealed: ConstantBytes, _ count: Int, under key: ConstantBytes, into output: Bytes
    ) throws(WrongResult) {
        var written: Int32 = 0
        var final: Int32 = 0
        EVP_DecryptInit_ex2(context, gcm, key, sealed, nil)
        EVP_DecryptUpdate(context, output, &written, sealed + Self.nonce, Int32(count - Self.overhead))
        let tag = UnsafeMutableRawPointer(mutating: sealed + count - Self.tag)
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tag), tag)
        guard EVP_DecryptFinal_ex(context, output + Int(written), &final) == 1 else {
            throw WrongResult("the limit cannot open what it sealed")
        }
    }

    /// Writes the 32 bytes of the keyed hash of a value.
    func hash(_ value: [UInt8], into output: Bytes) {
        var length: UInt32 = 32
        value.withUnsafeBufferPointer { bytes in
            _ = HMAC(EVP_sha256(), indexKey, Int32(Self.key), bytes.baseAddress, bytes.count, output, &length)
        }
    }
}
