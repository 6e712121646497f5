// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Adds an item to the keychain.
///
/// - Parameters:
///   - attributes: The item's class, attributes and data, and what is to be returned.
///   - result: Set to what was asked for; left alone when nothing was.
@discardableResult
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    Call.status("SecItemAdd") { () throws(KeychainError) in try unsafe AddCall(attributes).run(result) }
}

/// `SecItemAdd`.
struct AddCall: ItemCall {
    let host: any KeychainHost
    private var parsed: ParsedAdd
    private let shape: ResultShape

    init(_ attributes: CFDictionary) throws(KeychainError) {
        let query = try AddRequest.parse(attributes)
        parsed = query.request
        if case .item(let request) = parsed, request.isSynchronizable, let control = request.protection.accessControl,
            control.protection.isThisDeviceOnly
        {
            Log.remark(on: "SecItemAdd", "a synchronizable item of a ThisDeviceOnly class stays on this device")
        }
        host = try query.keychains.host()
        shape = ResultShape(parsed.returning, isArray: parsed.isList, host: host, parsed.authentication)
    }

    var authentication: AuthenticationTerms {
        get { parsed.authentication }
        set { parsed.authentication = newValue }
    }

    func answer() throws(KeychainError) -> [Found] {
        let session = try host.session()
        switch parsed {
        case .item(let request): return try session.add(request).map { [.item($0)] } ?? []
        case .several(let request, _): return try session.add(request)
        case .existing(let references, let request):
            let found = try session.match(request)
            guard Set(found.compactMap(\.persistentReference)) == Set(references) else {
                throw KeychainError(.itemNotFound, "an item of the list was not found", subject: "u_ItemList")
            }
            throw KeychainError(
                .duplicateItem, "the items of the list are already in the keychain", subject: "u_ItemList")
        }
    }

    func give(_ answer: [Found], to result: UnsafeMutablePointer<CFTypeRef?>?) {
        if !parsed.returning.isEmpty, let result = unsafe result { unsafe result.pointee = shape.object(for: answer) }
    }
}
