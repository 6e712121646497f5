// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel
package import KeychainRequest
package import KeychainSync

/// The two keys by which a circle knows this device: the enclave made them, and only it can use them.
package struct DeviceKeys: CircleDevice {
    package let card: Card
    fileprivate let signingKey: LooseEnclaveKey
    fileprivate let agreementKey: LooseEnclaveKey
    private let session: any KeychainSession

    private static let itemName = "device"
    /// The curve's number in `kSecAttrKeyType`.
    private static let ellipticCurve: UInt32 = 73

    /// Those that the keychain has; nil when it has none yet.
    package static func stored(in session: any KeychainSession) throws(KeychainError) -> DeviceKeys? {
        guard let secret = try CircleItems(session).secret(itemName) else { return nil }
        let bytes = unsafe secret.withUnsafeBytes { bytes in unsafe Array(bytes) }
        guard let keys = DeviceKeys(decoding: bytes, session) else {
            throw KeychainError(
                .undecodable,
                "the keychain's item with this device's circle keys is damaged; `llavero circle leave` ends its place there, and says how it comes back"
            )
        }
        return keys
    }

    /// Has the enclave make them, and keeps what it takes to use them.
    package static func make(
        in session: any KeychainSession, of kind: EnclaveKind
    ) throws(KeychainError) -> DeviceKeys {
        let (signing, agreement) = (try makeKey(session), try makeKey(session))
        guard
            let card = Card(
                signingKey: signing.publicKey, agreementKey: agreement.publicKey, kind: kind == .tpm ? .tpm : .software)
        else { throw unexpected }
        let keys = DeviceKeys(card: card, signingKey: signing, agreementKey: agreement, session: session)
        let bytes: [UInt8]
        do throws(CodingError) {
            bytes = try PropertyList.array([
                .number(1), .number(card.kind.rawValue), .data(signing.publicKey), .data(signing.blob),
                .data(agreement.publicKey), .data(agreement.blob),
            ]).encoded()
        } catch { throw unexpected }
        try CircleItems(session).keep(SecretValue(copying: bytes), as: itemName, .afterFirstUnlock)
        return keys
    }

    private init(
        card: Card, signingKey: LooseEnclaveKey, agreementKey: LooseEnclaveKey, session: any KeychainSession
    ) {
        (self.card, self.signingKey, self.agreementKey, self.session) = (card, signingKey, agreementKey, session)
    }

    private init?(decoding bytes: [UInt8], _ session: any KeychainSession) {
        guard case .array(let parts)? = try? PropertyList(decoding: bytes), parts.count == 6, parts[0] == .number(1),
            case .number(let number) = parts[1], let kind = Card.Kind(rawValue: number),
            case .data(let signing) = parts[2], case .data(let signingBlob) = parts[3],
            case .data(let agreement) = parts[4], case .data(let agreementBlob) = parts[5],
            let card = Card(signingKey: signing, agreementKey: agreement, kind: kind)
        else { return nil }
        self.init(
            card: card, signingKey: LooseEnclaveKey(publicKey: signing, blob: signingBlob),
            agreementKey: LooseEnclaveKey(publicKey: agreement, blob: agreementBlob), session: session)
    }

    private static func makeKey(_ session: any KeychainSession) throws(KeychainError) -> LooseEnclaveKey {
        let request = GenerateKeyRequest(
            type: ellipticCurve, bits: 256, place: .enclave, key: nil, publicKey: nil)
        guard let key = try session.generateKey(request).loose else { throw unexpected }
        return key
    }

    package func signature(of digest: [UInt8]) throws(CircleError) -> [UInt8] {
        let signature = try use(
            signingKey, .sign(SecretValue(copying: digest), algorithm: "algid:sign:ECDSA:digest-X962:SHA256"))
        return unsafe signature.withUnsafeBytes { bytes in unsafe Array(bytes) }
    }

    package func sharedSecret(with publicKey: [UInt8]) throws(CircleError) -> SecretBytes {
        let shared = try use(
            agreementKey,
            .exchange(publicKey: publicKey, algorithm: "algid:keyexchange:ECDH", size: nil, sharedInfo: []))
        return unsafe shared.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
    }

    fileprivate func use(_ key: LooseEnclaveKey, _ task: UseKeyRequest.Task) throws(CircleError) -> SecretValue {
        do throws(KeychainError) { return try session.useKey(UseKeyRequest(key: .loose(key), task: task)) } catch {
            throw error.reason == .interactionNotAllowed ? .locked : .device(error.description)
        }
    }

    private static let unexpected = KeychainError(.internalError, "the keychain made no key for the circle")
}

/// The TPM that a device's keys are in.
package struct DeviceChip: AttestingChip {
    private let device: DeviceKeys
    /// Which of its endorsement keys it is known by.
    private let isRSA: Bool

    package init(of device: DeviceKeys, isRSA: Bool) { (self.device, self.isRSA) = (device, isRSA) }

    package func evidence(of card: Card, over digest: [UInt8]) throws(CircleError) -> ChipEvidence {
        let endorsementKey = DeviceChip.bytes(try device.use(device.signingKey, .endorsementKey(isRSA: isRSA)))
        let (attestationKey, signing) = try certification(of: device.signingKey, over: digest)
        let (other, agreement) = try certification(of: device.agreementKey, over: digest)
        guard card == device.card, other == attestationKey else { throw .device("the TPM speaks for two keys as two") }
        return ChipEvidence(
            endorsementKey: endorsementKey, attestationKey: attestationKey,
            certification: try ChipCertification(signing: signing, agreement: agreement).encoded())
    }

    package func activate(_ challenge: [UInt8], for evidence: ChipEvidence) throws(CircleError) -> SecretBytes {
        let secret = try device.use(device.signingKey, .activate(challenge))
        return unsafe secret.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
    }

    private func certification(
        of key: LooseEnclaveKey, over digest: [UInt8]
    ) throws(CircleError) -> (attestationKey: [UInt8], part: ChipCertification.Part) {
        let coded = DeviceChip.bytes(try device.use(key, .certify(digest)))
        guard case .array(let parts)? = try? PropertyList(decoding: coded), parts.count == 3,
            case .data(let attestationKey) = parts[0], case .data(let statement) = parts[1],
            case .data(let signature) = parts[2]
        else { throw .malformed }
        return (attestationKey, (statement, signature))
    }

    private static func bytes(_ value: SecretValue) -> [UInt8] {
        unsafe value.withUnsafeBytes { bytes in unsafe Array(bytes) }
    }
}
