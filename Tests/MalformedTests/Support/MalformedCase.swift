// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Bytes that are not what they should be, given to a public function, and what has to come back.
struct MalformedCase: Sendable, CustomStringConvertible {
    /// What a function said.
    enum Answer: Equatable, Sendable, CustomStringConvertible {
        case taken
        /// Nil, without a reason to ask for.
        case refused
        case failed(OSStatus)

        var description: String {
            switch self {
            case .taken: "taken"
            case .refused: "refused"
            case .failed(let status): "failed with \(status)"
            }
        }
    }

    let description: String
    let expected: Answer
    let ask: @Sendable () -> Answer

    init(_ description: String, _ expected: Answer, _ ask: @escaping @Sendable () -> Answer) {
        self.description = description
        self.expected = expected
        self.ask = ask
    }

    /// A certificate that is none.
    static func certificate(_ name: String, _ der: [UInt8]) -> MalformedCase {
        MalformedCase("certificate: \(name)", .refused) { Asking.certificate(der) }
    }

    /// A key that is none.
    static func key(_ name: String, _ kind: Asking.Kind, _ bytes: [UInt8]) -> MalformedCase {
        MalformedCase("\(kind.rawValue): \(name)", .failed(errSecParam)) { Asking.key(kind, bytes) }
    }

    /// A signature that is none.
    static func signature(_ name: String, _ use: FixedUse, _ bytes: [UInt8]) -> MalformedCase {
        MalformedCase("\(use) signature: \(name)", .failed(errSecVerifyFailed)) { Asking.signature(use, bytes) }
    }

    /// A ciphertext that is none.
    static func ciphertext(_ name: String, _ use: FixedUse, _ bytes: [UInt8]) -> MalformedCase {
        MalformedCase("\(use) ciphertext: \(name)", .failed(errSecParam)) { Asking.ciphertext(use, bytes) }
    }

    /// A file of PKCS#12 that is none.
    static func file(
        _ name: String, _ bytes: [UInt8], _ status: OSStatus = errSecDecode, passphrase: String = "p"
    ) -> MalformedCase {
        MalformedCase("PKCS#12: \(name)", .failed(status)) { Asking.file(bytes, passphrase) }
    }
}
