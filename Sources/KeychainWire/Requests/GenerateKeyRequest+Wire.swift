// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Checked here: the items to be are keys, that have no bytes yet and come from nowhere else; the size is one of a key.
///
/// Which sizes a type has is asked where the key is made, before any work is done.
extension GenerateKeyRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let type = try fields.number(in: 0...Int64(UInt32.max))
        let bits = try fields.number(in: 1...Int64(WireLimits.keyBits))
        self.init(
            type: UInt32(type), bits: Int(bits), place: try fields.next(),
            key: try GenerateKeyRequest.item(&fields), publicKey: try GenerateKeyRequest.item(&fields))
        authentication = try fields.next()
    }

    private static func item(_ fields: inout WireFields) throws(WireError) -> AddRequest? {
        guard let item = try AddedItem?.read(from: &fields)?.request else { return nil }
        guard item.itemClass == .key, item.secret == nil, item.origin == .caller else { throw .contradiction }
        return item
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(Int64(type))
        writer.number(Int64(bits))
        try writer.write(place)
        try writer.write(key.map { AddedItem($0) })
        try writer.write(publicKey.map { AddedItem($0) })
        try writer.write(authentication)
    }
}

extension GenerateKeyRequest.Place: WireNumbered {
    static let numbered: [GenerateKeyRequest.Place] = [.software, .enclave]

    var wireNumber: Int64 {
        switch self {
        case .software: 1
        case .enclave: 2
        }
    }
}
