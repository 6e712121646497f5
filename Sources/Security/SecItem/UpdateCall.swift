// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

/// `SecItemUpdate`.
struct UpdateCall: ItemCall {
    let host: any KeychainHost
    private var request: UpdateRequest

    init(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) throws(KeychainError) {
        request = try UpdateRequest.parse(query: query, attributesToUpdate: attributesToUpdate)
        if request.changes.isSynchronizable == true, let control = request.changes.accessControl,
            control.protection.isThisDeviceOnly
        {
            Log.remark(on: "SecItemUpdate", "a synchronizable item of a ThisDeviceOnly class stays on this device")
        }
        host = try QueriedKeychains.host(usedBy: query)
    }

    var authentication: AuthenticationTerms {
        get { request.authentication }
        set { request.authentication = newValue }
    }

    func answer() throws(KeychainError) {
        let keychain = try host.connection()
        try keychain.service.update(request, from: keychain.caller)
    }
}
