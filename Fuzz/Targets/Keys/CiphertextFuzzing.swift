// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainKeys
internal import KeychainModel

/// Something to decrypt; the first byte of the input chooses the key and the algorithm.
///
/// Everything in the corpora that can be decrypted is the same message, so whatever else comes out was forged.
internal enum CiphertextFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        var input = FuzzInput(bytes)
        guard FixedUse.decryptions.count == 10 else { throw BrokenPromise("the fixtures are there") }
        let use = input.pick(FixedUse.decryptions)
        let sealed = input.all()
        let plain: [UInt8]
        do throws(KeyError) {
            plain = try decrypt(sealed, use)
        } catch {
            try promise(
                error == .invalidLength || error == .refused || error == .invalidParameter,
                "a ciphertext is of a wrong length, or refused without saying why")
            return .refused
        }
        switch use.algorithm.scheme {
        case .encryption(.rsa(.none)), .encryption(.rsa(.noneReversed)): try checkRaw(plain, sealed, use)
        // A padding of random bytes that is none is taken for one now and then.
        case .encryption(.rsa(.pkcs1)): try promise(plain.count <= use.key.blockSize - 11, "padding has eleven bytes")
        default:
            try promise(plain == FixedKeys.message, "what can be decrypted was encrypted")
            try promise((try? decrypt(sealed + [0], use)) == nil, "nothing may follow a ciphertext")
        }
        return .accepted
    }

    private static func checkRaw(_ plain: [UInt8], _ sealed: [UInt8], _ use: FixedUse) throws(BrokenPromise) {
        guard let key = try? use.key.publicKey() else { throw BrokenPromise("a private key has a public half") }
        let again = plain.withUnsafeBytes { try? key.encrypt($0, with: use.algorithm) }
        guard let again else { throw BrokenPromise("a number that came out of RSA goes into it") }
        // Zeros in front of a number, or behind one that is written the other way round, do not count.
        let isReversed = use.algorithm.name.hasSuffix("-cc")
        func digits(_ number: [UInt8]) -> [UInt8] {
            Array((isReversed ? number.reversed() : number).drop { $0 == 0 })
        }
        try promise(digits(again) == digits(sealed), "RSA forwards undoes RSA backwards")
    }

    private static func decrypt(_ sealed: [UInt8], _ use: FixedUse) throws(KeyError) -> [UInt8] {
        try sealed.lendingBytes { (sealed) throws(KeyError) in
            try use.key.decrypt(sealed, with: use.algorithm).array
        }
    }
}
