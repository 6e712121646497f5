// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Why a call with an error object failed.
enum Refusal {
    /// The status of the call that `body` makes, ``errSecSuccess`` when it set no error.
    static func status(_ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Void) -> OSStatus {
        var error: Unmanaged<CFError>?
        body(&error)
        return OSStatus(error?.takeRetainedValue().code ?? 0)
    }
}
