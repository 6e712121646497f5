// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Adds an item to the keychain.
///
/// - Parameters:
///   - attributes: The item's class, attributes and data, and what is to be returned.
///   - result: Set to what was asked for; left alone when nothing was.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Call.status("SecItemAdd") { () throws(KeychainError) in
        switch try AddRequest.parse(attributes) {
        case .item(let request):
            let host = try KeychainConnection.host()
            let keychain = try host.connection()
            let item = try keychain.service.add(request, from: keychain.caller)
            if let item, let result = unsafe result {
                let shape = ResultShape(
                    request.returning, isArray: false, host: host, request.authentication)
                unsafe result.pointee = shape.object(for: [.item(item)])
            }
        case .several(let request, let isList):
            let host = try KeychainConnection.host()
            let keychain = try host.connection()
            let added = try keychain.service.add(request, from: keychain.caller)
            if !request.returning.isEmpty, let result = unsafe result {
                let shape = ResultShape(
                    request.returning, isArray: isList, host: host, request.authentication)
                unsafe result.pointee = shape.object(for: added)
            }
        case .existing(let references, let request):
            let found = try KeychainConnection.call { (keychain) throws(KeychainError) in
                try keychain.service.match(request, from: keychain.caller)
            }
            guard Set(found.map(\.persistentReference)) == Set(references) else {
                throw KeychainError(.itemNotFound, "an item of the list is not there", subject: "u_ItemList")
            }
            throw KeychainError(
                .duplicateItem, "the items of the list are in the keychain already",
                subject: "u_ItemList")
        }
    }
}
