// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The function of that name for C.
@_cdecl("SecCreateSharedWebCredentialPassword")
public func cCreateSharedWebCredentialPassword() -> CObject? {
    return Outgoing.object(SecCreateSharedWebCredentialPassword())
}

// Sendable: it is called once, by one thread.
/// A block of C's that is called by whom Swift's function calls back with.
private struct CCompletion: @unchecked Sendable {
    let block: UnsafeMutableRawPointer
}

/// The function of that name for C.
@_cdecl("SecAddSharedWebCredential")
public func cAddSharedWebCredential(
    _ fqdn: CObject?, _ account: CObject?, _ password: CObject?, _ block: UnsafeMutableRawPointer?
) {
    guard let block = csec_retain_block(block) else { return }
    let completion = CCompletion(block: block)
    // Whatever is given is refused, so NULL is too.
    let (name, user) = (Incoming.string(of: fqdn) ?? "", Incoming.string(of: account) ?? "")
    SecAddSharedWebCredential(name, user, Incoming.string(of: password)) { failure in
        let error = Outgoing.object(failure)
        csec_call_with_error(completion.block, error)
        error.map { csec_release($0) }
    }
}

/// The function of that name for C.
@_cdecl("SecRequestSharedWebCredential")
public func cRequestSharedWebCredential(_ fqdn: CObject?, _ account: CObject?, _ block: UnsafeMutableRawPointer?) {
    guard let block = csec_retain_block(block) else { return }
    let completion = CCompletion(block: block)
    SecRequestSharedWebCredential(Incoming.string(of: fqdn), Incoming.string(of: account)) { list, failure in
        let (credentials, error) = (Outgoing.object(list), Outgoing.object(failure))
        csec_call_with_list(completion.block, credentials, error)
        for object in [credentials, error] { object.map { csec_release($0) } }
    }
}
