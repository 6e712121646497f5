// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// A call's error, taken over from it.
enum KeyFailures {
    /// The status of the call that `body` makes, 0 when it set no error.
    static func status(_ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Void) throws -> OSStatus {
        var error: Unmanaged<CFError>?
        body(&error)
        guard let object = error?.takeRetainedValue() else { return 0 }
        #expect(CFErrorGetDomain(object) == NSOSStatusErrorDomain as NSString)
        // An explanation, and not what Foundation makes of a code without one.
        let text = try #require(object.userInfo[NSLocalizedDescriptionKey] as? String)
        #expect(!text.isEmpty)
        return OSStatus(CFErrorGetCode(object))
    }
}

enum TestKey {
    /// A key of a type and size; made anew.
    static func made(_ type: CFString, _ bits: Int, _ more: [CFString: Any] = [:]) throws -> SecKey {
        var parameters: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits]
        parameters.merge(more) { $1 }
        return try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
    }

    static func read(_ bytes: Data, _ type: CFString, _ part: CFString) -> SecKey? {
        SecKeyCreateWithData(
            bytes as CFData, [kSecAttrKeyType: type, kSecAttrKeyClass: part] as [CFString: Any] as CFDictionary, nil)
    }

    static func bytes(_ key: SecKey) throws -> Data {
        try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
    }

    static var sizes: [(CFString, Int)] {
        [
            (kSecAttrKeyTypeRSA, 1024), (kSecAttrKeyTypeECSECPrimeRandom, 256), (kSecAttrKeyTypeEC, 384),
            (kSecAttrKeyTypeEC, 521), (kSecAttrKeyTypeEd25519, 256), (kSecAttrKeyTypeX25519, 256),
            (kSecAttrKeyTypeEd448, 448), (kSecAttrKeyTypeX448, 448),
        ]
    }
}

extension Data {
    /// Hexadecimal digits.
    init(hex: String) {
        let digits = hex.compactMap(\.hexDigitValue)
        self.init(stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
