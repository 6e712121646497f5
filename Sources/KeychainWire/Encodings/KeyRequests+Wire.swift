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
        outside = try fields.next()
        guard outside == nil || (place == .enclave && key == nil) else { throw .contradiction }
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
        try writer.write(outside)
        try writer.write(authentication)
    }
}

extension GenerateKeyRequest.Keeper: WireNumbered {
    static let numbered: [GenerateKeyRequest.Keeper] = [.software, .enclave]

    var wireNumber: Int64 {
        switch self {
        case .software: 1
        case .enclave: 2
        }
    }
}

extension OutsideKeyTerms: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(control: try fields.next(), isCompact: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(control)
        try writer.write(isCompact)
    }
}

extension GeneratedKey: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(key: try fields.next(), loose: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(key)
        try writer.write(loose)
    }
}

/// Checked here: the public half has the form of a point of P-256, and the blob a size that an enclave takes.
///
/// The blob comes from outside and goes to the enclave, which has to tell its own from others.
extension LooseEnclaveKey: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(publicKey: try fields.next(), blob: try fields.data(atMost: WireLimits.enclaveBlob))
        guard publicKey.count == 65, publicKey.first == 4 else { throw .outOfRange }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.data(publicKey)
        writer.data(blob)
    }
}

/// Checked here: what goes to OpenSSL and to the enclave has the size that such things have.
///
/// Whether a key, an algorithm and a task go together is asked where the key is used.
extension UseKeyRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(key: try fields.next(), task: try fields.next())
        authentication = try fields.next()
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(key)
        try writer.write(task)
        try writer.write(authentication)
    }
}

extension UseKeyRequest.Key: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1:
            let id: PersistentID = try fields.next()
            let publicKey: [UInt8]? = try fields.next()
            guard (publicKey?.count ?? 0) <= WireLimits.publicKey else { throw .outOfRange }
            self = .stored(id, publicKey: publicKey)
        case 2: self = .loose(try fields.next())
        case 3: self = .outside(try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .stored(let id, let publicKey):
            writer.number(1)
            try writer.write(id)
            try writer.write(publicKey)
        case .loose(let key):
            writer.number(2)
            try writer.write(key)
        case .outside(let key):
            writer.number(3)
            try writer.write(key)
        }
    }
}

extension UseKeyRequest.Task: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .sign(try fields.next(), algorithm: try Self.algorithm(&fields))
        case 2: self = .encrypt(try fields.next(), algorithm: try Self.algorithm(&fields))
        case 3: self = .decrypt(try fields.next(), algorithm: try Self.algorithm(&fields))
        case 4:
            let publicKey = try fields.data(atMost: WireLimits.publicKey)
            let algorithm = try Self.algorithm(&fields)
            let size: Int64? = try fields.next()
            guard size.map({ (0...Int64(WireLimits.derived)).contains($0) }) ?? true else { throw .outOfRange }
            self = .exchange(
                publicKey: publicKey, algorithm: algorithm, size: size.map { Int($0) },
                sharedInfo: try fields.data(atMost: WireLimits.sharedInfo))
        case 5: self = .release
        case 6: self = .endorsementKey(isRSA: try fields.next())
        case 7: self = .certify(try fields.data(atMost: WireLimits.certified))
        case 8: self = .activate(try fields.data(atMost: WireLimits.enclaveBlob))
        default: throw .unknownNumber
        }
    }

    private static func algorithm(_ fields: inout WireFields) throws(WireError) -> String {
        try fields.string(atMost: WireLimits.algorithm)
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .sign(let input, let algorithm): try write(1, input, algorithm, to: &writer)
        case .encrypt(let input, let algorithm): try write(2, input, algorithm, to: &writer)
        case .decrypt(let input, let algorithm): try write(3, input, algorithm, to: &writer)
        case .exchange(let publicKey, let algorithm, let size, let sharedInfo):
            writer.number(4)
            writer.data(publicKey)
            writer.string(algorithm)
            try writer.write(size.map { Int64($0) })
            writer.data(sharedInfo)
        case .release: writer.number(5)
        case .endorsementKey(let isRSA):
            writer.number(6)
            try writer.write(isRSA)
        case .certify(let digest):
            writer.number(7)
            writer.data(digest)
        case .activate(let credential):
            writer.number(8)
            writer.data(credential)
        }
    }

    private func write(
        _ number: Int64, _ input: SecretValue, _ algorithm: String, to writer: inout WireWriter
    ) throws(WireError) {
        writer.number(number)
        try writer.secret(input)
        writer.string(algorithm)
    }
}
