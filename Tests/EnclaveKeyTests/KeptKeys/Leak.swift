// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The search for a key's bytes in whatever a caller gets.
struct Leak {
    /// Pieces of the private half, none of which is of the public one.
    private let pieces: [Data]
    /// The same, as they would be printed.
    private let printed: [Data]

    /// Of a key of a kind, with these external bytes.
    init(_ kind: KeptKey, _ bytes: Data) {
        switch kind {
        // Behind the modulus and the exponent: the private exponent, the primes, and what follows from them.
        case .rsa2048: pieces = stride(from: 300, to: bytes.count - 16, by: 64).map { bytes[$0..<$0 + 16] }
        case .p256, .p384, .p521: pieces = [bytes.suffix(16), bytes.suffix((kind.bits + 7) / 8).prefix(16)]
        case .ed25519, .x25519, .aes256, .aes128: pieces = [bytes.prefix(16), bytes.suffix(16)]
        }
        printed = pieces.map { Data($0.hexadecimal.utf8) }
    }

    /// Whether any of them is in an object, or in what it prints.
    func isIn(_ object: Any?) -> Bool {
        guard let object else { return false }
        var texts = ""
        dump(object, to: &texts)
        texts += "\(object)"
        let text = Data(texts.lowercased().filter { $0 != " " }.utf8)
        return printed.contains { text.range(of: $0) != nil } || isInside(object)
    }

    private func isInside(_ object: Any) -> Bool {
        if let data = object as? Data { return pieces.contains { data.range(of: $0) != nil } }
        if let list = object as? [Any] { return list.contains(where: isInside) }
        if let dictionary = object as? [AnyHashable: Any] { return dictionary.values.contains(where: isInside) }
        guard CFGetTypeID(object as CFTypeRef) == SecKeyGetTypeID(), let key = object as? SecKey else { return false }
        let ways: [Any?] = [
            SecKeyCopyExternalRepresentation(key, nil), SecKeyCopyAttributes(key),
            SecKeyCopyPublicKey(key).flatMap { SecKeyCopyExternalRepresentation($0, nil) },
        ]
        return ways.contains { $0.map(isInside) ?? false }
    }
}

extension Data {
    fileprivate var hexadecimal: String {
        map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
