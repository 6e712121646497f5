// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel

extension DeviceKey {
    /// The bytes of the file that says the same, with these gates in the place of its own.
    borrowing func encoded(with gates: GateTable) throws(EnclaveError) -> SecretBytes {
        let layout = DeviceKeyLayout.current(gateCount: gates.entries.count)
        return try unsafe SecretBytes(count: layout.fileSize) { (file) throws(EnclaveError) in
            unsafe file.copyBytes(from: layout.mark)
            for copy in 0..<2 {
                let payload = unsafe UnsafeMutableRawBufferPointer(rebasing: file[layout.payload(copy)])
                unsafe write(gates, to: payload)
                let digest = unsafe UnsafeMutableRawBufferPointer(rebasing: file[layout.digest(copy)])
                try EnclaveError.catching { () throws(CryptoError) in
                    try unsafe Digest.sha256(UnsafeRawBufferPointer(payload), into: digest)
                }
            }
        }
    }

    private borrowing func write(_ gates: GateTable, to payload: UnsafeMutableRawBufferPointer) {
        var writer = unsafe PayloadWriter(rest: payload)
        unsafe writer.write(keychain.bytes)
        unsafe writer.write(root)
        unsafe writer.write([UInt8(gates.entries.count)])
        for entry in gates.entries {
            unsafe writer.write(entry.id.bytes)
            if let keys = entry.keys {
                unsafe writer.write(keys.secret)
                unsafe writer.write(keys.verifier)
            } else {
                // Zeros: the payload has been nothing else so far.
                unsafe writer.skip(GateKeys.secretSize + GateKeys.verifierSize)
            }
            unsafe writer.write(entry.eraseAfter)
            unsafe writer.write(entry.failures)
            unsafe writer.write(entry.lastFailure.bitPattern)
            unsafe writer.write([entry.keys == nil ? 1 : 0])
        }
    }
}

/// What writes one thing after the other, numbers BE.
@unsafe
private struct PayloadWriter {
    var rest: UnsafeMutableRawBufferPointer

    mutating func write(_ bytes: [UInt8]) {
        unsafe rest.copyBytes(from: bytes)
        unsafe skip(bytes.count)
    }

    mutating func write(_ secret: borrowing SecretBytes) {
        unsafe secret.withUnsafeBytes { unsafe rest.copyMemory(from: $0) }
        unsafe skip(secret.count)
    }

    mutating func write(_ number: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe rest.copyMemory(from: $0) }
        unsafe skip(number.bitWidth / 8)
    }

    mutating func skip(_ count: Int) {
        unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
    }
}
