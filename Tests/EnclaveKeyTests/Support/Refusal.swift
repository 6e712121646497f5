// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Why a call with an error object failed.
struct Refusal: Equatable, CustomStringConvertible {
    let status: OSStatus
    let text: String

    var description: String { "\(status): \(text)" }

    /// The refusal of the call that `body` makes; nil when it set no error.
    static func of(_ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Void) -> Refusal? {
        var error: Unmanaged<CFError>?
        body(&error)
        guard let object = error?.takeRetainedValue() else { return nil }
        return Refusal(status: OSStatus(CFErrorGetCode(object)), text: object.localizedDescription)
    }

    /// The status of that call, ``errSecSuccess`` when it set no error.
    static func status(_ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Void) -> OSStatus {
        of(body)?.status ?? errSecSuccess
    }

    /// Why a key does not sign.
    static func ofSigning(with key: SecKey) -> Refusal? {
        of { error in
            _ = SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, Data([1]) as CFData, error)
        }
    }
}
