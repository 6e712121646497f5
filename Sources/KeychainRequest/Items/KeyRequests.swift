// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A checked wish for a new key that the keychain makes itself: the bytes of one that may not leave are never anywhere
/// else.
package struct GenerateKeyRequest: Sendable {
    package enum Keeper: Sendable {
        case software
        case enclave
    }

    /// The numbers of `kSecAttrKeyType` and `kSecAttrKeySizeInBits`.
    package let type: UInt32
    package let bits: Int
    package let place: Keeper
    /// The item of the private or symmetric key, still without its bytes; nil when the key is not to be stored.
    package let key: AddRequest?
    /// The item of the public half, if it is to be stored.
    package let publicKey: AddRequest?
    /// How a key of the enclave's that is not stored is to come out; nil for one without an access control.
    package var outside: OutsideKeyTerms?

    package var authentication = AuthenticationTerms.usual

    package init(type: UInt32, bits: Int, place: Keeper, key: AddRequest?, publicKey: AddRequest?) {
        self.type = type
        self.bits = bits
        self.place = place
        self.key = key
        self.publicKey = publicKey
    }
}

/// What is laid down about a key that its maker keeps.
package struct OutsideKeyTerms: Sendable, Hashable {
    package let control: AccessControl
    /// Whether the public half has to have a compact form: another key is made until it has.
    package let isCompact: Bool

    package init(control: AccessControl, isCompact: Bool) {
        self.control = control
        self.isCompact = isCompact
    }
}

/// A key that was made.
package struct GeneratedKey: Sendable {
    /// The stored item, as one that was found with a reference.
    package let key: FoundItem?
    /// A key of the enclave's that was not stored: what it takes to use it, which means nothing elsewhere.
    package let loose: LooseEnclaveKey?

    package init(key: FoundItem?, loose: LooseEnclaveKey?) {
        self.key = key
        self.loose = loose
    }
}

/// A key of the enclave's that no item stands for.
package struct LooseEnclaveKey: Sendable, Hashable {
    /// X9.63, uncompressed: 04, x, y.
    package let publicKey: [UInt8]
    package let blob: [UInt8]

    package init(publicKey: [UInt8], blob: [UInt8]) {
        self.publicKey = publicKey
        self.blob = blob
    }
}

/// A checked wish to use a key that may not leave.
package struct UseKeyRequest: Sendable {
    package enum Key: Sendable, Hashable {
        /// The key of an item, which has to be that of the public half: a reference may come to name another item.
        case stored(PersistentID, publicKey: [UInt8]?)
        case loose(LooseEnclaveKey)
        /// One that came out under terms of its own, which are sealed in the blob.
        case outside(LooseEnclaveKey)
    }

    /// What is to be done; algorithms go by the names that `SecKeyAlgorithm` gives them.
    package enum Task: Sendable {
        case sign(SecretValue, algorithm: String)
        case encrypt(SecretValue, algorithm: String)
        case decrypt(SecretValue, algorithm: String)
        case exchange(publicKey: [UInt8], algorithm: String, size: Int?, sharedInfo: [UInt8])
        /// The external bytes, to be encrypted under a password that the caller has: sensitive keys leave so (decision
        /// D41), and a person who knows the password has the key.
        case release
        /// The public area of the endorsement key of the chip that has the key.
        case endorsementKey(isRSA: Bool)
        /// The chip's word that the key is in it, over 32 bytes: three parts of one array.
        case certify([UInt8])
        /// What was sealed to the chip, for its attestation key.
        case activate([UInt8])

        /// Whether it is about the chip, for circles alone: what comes of it names the machine to others, or speaks for it.
        package var isAttestation: Bool {
            switch self {
            case .endorsementKey, .certify, .activate: true
            case .sign, .encrypt, .decrypt, .exchange, .release: false
            }
        }
    }

    package let key: Key
    package let task: Task

    package var authentication = AuthenticationTerms.usual

    package init(key: Key, task: Task) {
        self.key = key
        self.task = task
    }
}
