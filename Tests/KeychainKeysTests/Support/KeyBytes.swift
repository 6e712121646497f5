// SPDX-License-Identifier: Apache-2.0

import KeychainKeys
import KeychainModel

extension [UInt8] {
    /// Hexadecimal digits; anything that is no digit is left out.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        precondition(digits.count % 2 == 0, "half a byte")
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    func lend<Result>(_ body: (UnsafeRawBufferPointer) throws(KeyError) -> Result) throws(KeyError) -> Result {
        try span.bytes.withUnsafeBytes { (bytes) throws(KeyError) in try body(bytes) }
    }

    func secret() -> SecretBytes { span.bytes.withUnsafeBytes { SecretBytes(copying: $0) } }
}

extension SecretBytes {
    var array: [UInt8] { withUnsafeBytes { Array($0) } }
}

/// The operations in terms of arrays.
extension CryptoKey {
    func sign(_ data: [UInt8], _ algorithm: KeyAlgorithm) throws(KeyError) -> [UInt8] {
        try data.lend { (data) throws(KeyError) in try sign(data, with: algorithm) }
    }

    func verify(_ signature: [UInt8], of data: [UInt8], _ algorithm: KeyAlgorithm) throws(KeyError) -> Bool {
        try data.lend { (data) throws(KeyError) in
            try signature.lend { (signature) throws(KeyError) in try verify(signature, of: data, with: algorithm) }
        }
    }

    func encrypt(_ plain: [UInt8], _ algorithm: KeyAlgorithm) throws(KeyError) -> [UInt8] {
        try plain.lend { (plain) throws(KeyError) in try encrypt(plain, with: algorithm) }
    }

    func decrypt(_ sealed: [UInt8], _ algorithm: KeyAlgorithm) throws(KeyError) -> [UInt8] {
        try sealed.lend { (sealed) throws(KeyError) in try decrypt(sealed, with: algorithm).array }
    }

    func exchange(
        with other: CryptoKey, _ algorithm: KeyAlgorithm, _ size: Int? = nil, _ info: [UInt8] = []
    ) throws(KeyError) -> [UInt8] {
        try exchangeKeys(with: other, algorithm, requestedSize: size, sharedInfo: info).array
    }
}
