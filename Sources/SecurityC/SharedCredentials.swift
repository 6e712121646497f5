// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecCreateSharedWebCredentialPassword")
public func cCreateSharedWebCredentialPassword() -> CObject? {
    return Outgoing.object(SecCreateSharedWebCredentialPassword())
}
