// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel

extension DeviceKey {
    /// What the bytes of a file say: its first whole copy counts.
    static func decode(_ file: borrowing SecretBytes) throws(EnclaveError) -> DeviceKey {
        guard let layout = DeviceKeyLayout.ofFile(size: file.count) else { throw .damaged }
        return try unsafe file.withUnsafeBytes { (file) throws(EnclaveError) in
            guard file.count == layout.fileSize else { throw .damaged }
            let first = unsafe UnsafeRawBufferPointer(rebasing: file[layout.payload(0)])
            let second = unsafe UnsafeRawBufferPointer(rebasing: file[layout.payload(1)])
            let isFirstWhole = try unsafe isWhole(first, UnsafeRawBufferPointer(rebasing: file[layout.digest(0)]))
            let isSecondWhole = try unsafe isWhole(second, UnsafeRawBufferPointer(rebasing: file[layout.digest(1)]))
            guard isFirstWhole || isSecondWhole else { throw .damaged }
            // A digest that holds says more than the mark does.
            let isMarked = unsafe file.prefix(DeviceKeyLayout.markSize).elementsEqual(layout.mark)
            let areSame = unsafe isFirstWhole && isSecondWhole && isEqualInConstantTime(first, second)
            return try unsafe DeviceKey(
                isFirstWhole ? first : second, layout, isHalfDamaged: !isMarked || !areSame,
                isSecondDamaged: !isSecondWhole)
        }
    }

    private init(
        _ payload: UnsafeRawBufferPointer, _ layout: DeviceKeyLayout, isHalfDamaged: Bool, isSecondDamaged: Bool
    ) throws(EnclaveError) {
        var reader = unsafe PayloadReader(rest: payload)
        let keychain = unsafe KeychainUUID(reader.bytes(DeviceKeyLayout.keychainSize))
        let root = unsafe reader.secret(DeviceKeyLayout.rootEnd - DeviceKeyLayout.keychainSize)
        var entries: [GateEntry] = []
        if let gateCount = layout.gateCount {
            guard unsafe reader.bytes(1) == [UInt8(gateCount)] else { throw .damaged }
            for _ in 0..<gateCount { entries.append(try unsafe reader.gate()) }
        }
        guard let keychain, !root.isAllZero, let gates = GateTable(entries) else { throw .damaged }
        self.init(
            keychain: keychain, root: root, gates: gates, isHalfDamaged: isHalfDamaged,
            isSecondDamaged: isSecondDamaged)
    }

    private static func isWhole(
        _ payload: UnsafeRawBufferPointer, _ digest: UnsafeRawBufferPointer
    ) throws(EnclaveError) -> Bool {
        let computed = try EnclaveError.catching { () throws(CryptoError) in
            try unsafe SecretBytes(count: DeviceKeyLayout.digestSize) { (output) throws(CryptoError) in
                try unsafe Digest.sha256(payload, into: output)
            }
        }
        return unsafe computed.withUnsafeBytes { unsafe isEqualInConstantTime($0, digest) }
    }
}

/// What reads one thing after the other, numbers BE; the layout has seen to it that all of them are there.
@unsafe
private struct PayloadReader {
    var rest: UnsafeRawBufferPointer

    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        defer { unsafe rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
        return unsafe UnsafeRawBufferPointer(rebasing: rest[..<count])
    }

    mutating func bytes(_ count: Int) -> [UInt8] { unsafe Array(take(count)) }

    mutating func secret(_ count: Int) -> SecretBytes { unsafe SecretBytes(copying: take(count)) }

    mutating func number<Number: FixedWidthInteger>() -> Number {
        unsafe Number(bigEndian: take(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
    }

    /// A gate; throws `damaged` for whatever is never written.
    mutating func gate() throws(EnclaveError) -> GateEntry {
        let id = unsafe GateID(bytes(16))
        let secret = unsafe self.secret(GateKeys.secretSize)
        let verifier = unsafe self.secret(GateKeys.verifierSize)
        let eraseAfter: UInt32 = unsafe number()
        let failures: UInt32 = unsafe number()
        let lastFailure = unsafe Double(bitPattern: number())
        let isErased: UInt8 = unsafe number()
        guard let id, lastFailure.isFinite, isErased <= 1, secret.isAllZero == (isErased == 1),
            isErased == 0 || verifier.isAllZero
        else { throw .damaged }
        return GateEntry(
            id: id, eraseAfter: eraseAfter,
            keys: isErased == 1 ? nil : GateKeys(secret: secret, verifier: verifier),
            failures: failures, lastFailure: lastFailure)
    }
}
