// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Changes attributes or data of every item that matches a query, all or none.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    Call.status("SecItemUpdate") { () throws(KeychainError) in try UpdateCall(query, attributesToUpdate).answer() }
}

/// `SecItemUpdate`.
struct UpdateCall: ItemCall {
    let host: any KeychainHost
    private var request: UpdateRequest

    /// In the keychain that the query names, or in one that is known.
    init(
        _ query: CFDictionary, _ attributesToUpdate: CFDictionary, in known: (any KeychainHost)? = nil
    ) throws(KeychainError) {
        let parsed = try UpdateRequest.parse(query: query, attributesToUpdate: attributesToUpdate)
        request = parsed.request
        if request.changes.isSynchronizable == true, let control = request.changes.accessControl,
            control.protection.isThisDeviceOnly
        {
            Log.remark(on: "SecItemUpdate", "a synchronizable item of a ThisDeviceOnly class stays on this device")
        }
        if let known { host = known } else { host = try parsed.keychains.host() }
    }

    var authentication: AuthenticationTerms {
        get { request.authentication }
        set { request.authentication = newValue }
    }

    func answer() throws(KeychainError) {
        try host.session().update(request)
    }
}
