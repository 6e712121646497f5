// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// A key that was just made, as its items will have it.
struct MadeKey {
    let label: [UInt8]?
    let secret: SecretValue
    let publicKey: [UInt8]?
    let loose: LooseEnclaveKey?

    /// One whose bytes are the item's secret.
    init(_ type: KeyType, bits: Int, _ work: CostlyWork, _ order: WorkOrder) throws(KeychainError) {
        let key = try MadeKey.generated(type, bits: bits, work, order)
        secret = SecretValue(copying: try translating { () throws(KeyError) in try key.representation() })
        let publicLabel = try translating { () throws(KeyError) in
            key.part == .symmetric ? nil : try key.applicationLabel()
        }
        publicKey = key.publicRepresentation
        loose = nil
        // A symmetric key has nothing public to be named after; what is derived from it would let guesses be checked.
        label = if let publicLabel { publicLabel } else { try MadeKey.randomLabel() }
    }

    private static func generated(
        _ type: KeyType, bits: Int, _ work: CostlyWork, _ order: WorkOrder
    ) throws(KeychainError) -> CryptoKey {
        guard type == .rsa else {
            return try translating { () throws(KeyError) in try CryptoKey.generate(type, bits: bits) }
        }
        return try work.keys.perform(order, refused: KeychainError.init) { (turn) throws(KeychainError) in
            do throws(KeyError) { return try CryptoKey.generate(type, bits: bits) { turn.goesOn() } } catch {
                throw turn.isAbandoned ? KeychainError(WorkRefusal.abandoned) : KeychainError(error)
            }
        }
    }

    private static func randomLabel() throws(KeychainError) -> [UInt8] {
        try translating { () throws(CryptoError) in
            try unsafe [UInt8](count: 20) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        }
    }

    /// One that stays in an enclave, whose public half has a compact form if that is wanted.
    init(in enclave: any Enclave, isCompact: Bool) throws(KeychainError) {
        var key = try enclave.kind.explaining { () throws(EnclaveError) in try enclave.makeKey() }
        // One key of two has it; nothing is left of the others.
        while isCompact, !Curve.p256.isCompact(key.publicKey) {
            key = try enclave.kind.explaining { () throws(EnclaveError) in try enclave.makeKey() }
        }
        label = try translating { () throws(KeyError) in
            try CryptoKey(.ec, .public, representation: key.publicKey).applicationLabel()
        }
        secret = try EnclaveKeyCoding.encode(key)
        publicKey = key.publicKey
        loose = LooseEnclaveKey(publicKey: key.publicKey, blob: key.blob)
    }
}
