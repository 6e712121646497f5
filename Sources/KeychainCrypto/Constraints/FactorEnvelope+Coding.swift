// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

extension FactorEnvelope {
    /// Reads what `seal` wrote; throws `undecodable` for anything else.
    package init(decoding secret: SecretValue) throws(Failure) {
        try self.init(decoding: unsafe secret.withUnsafeBytes { bytes in unsafe Array(bytes) })
    }

    init(decoding bytes: [UInt8]) throws(Failure) {
        guard case .dictionary(let fields)? = try? PropertyList(decoding: bytes), fields["v"] == .number(1),
            case .data(let id)? = fields["id"], id.count == 16, case .array(let ways)? = fields["ways"],
            (1...FactorEnvelope.mostWays).contains(ways.count), case .data(let sealed)? = fields["sealed"],
            sealed.count > GCM.tagSize
        else { throw .undecodable }
        var passwordCost: PasscodeCost?
        if let cost = fields["cost"] {
            guard let read = PasscodeCost(cost) else { throw .undecodable }
            passwordCost = read
        }
        var front: Front?
        if let list = fields["front"] {
            guard let read = Front(list) else { throw .undecodable }
            front = read
        }
        let count = 4 + (passwordCost == nil ? 0 : 1) + (front == nil ? 0 : 1)
        guard fields.count == count else { throw .undecodable }
        var read: [Way] = []
        for way in ways {
            guard let way = Way(way) else { throw .undecodable }
            read.append(way)
        }
        self.init(id: id, front: front, passwordCost: passwordCost, ways: read, sealed: sealed)
    }

    /// What the sealed secret is bound to: all that is known without opening it, and every way there is.
    static func binding(
        _ id: [UInt8], _ front: Front?, _ cost: PasscodeCost?, _ ways: [Way]
    ) throws(CryptoError) -> [UInt8] {
        var fields = outline(id, front, cost)
        fields["ways"] = .array(ways.map(\.outline))
        do throws(CodingError) { return try PropertyList.dictionary(fields).encoded() } catch {
            throw CryptoError.invalidParameters
        }
    }

    private static func outline(_ id: [UInt8], _ front: Front?, _ cost: PasscodeCost?) -> [String: PropertyList] {
        var fields: [String: PropertyList] = ["v": .number(1), "id": .data(id)]
        if let cost { fields["cost"] = cost.list }
        if let front { fields["front"] = front.list }
        return fields
    }

    func encoded() throws(CryptoError) -> SecretValue {
        var fields = FactorEnvelope.outline(id, front, passwordCost)
        fields["ways"] = .array(ways.map(\.list))
        fields["sealed"] = .data(sealed)
        do throws(CodingError) { return SecretValue(copying: try PropertyList.dictionary(fields).encoded()) } catch {
            throw CryptoError.invalidParameters
        }
    }

    /// No rules have more (``AccessRules/isTooWide``).
    static let mostWays = 32
}

extension FactorEnvelope.Front {
    fileprivate var list: PropertyList {
        var fields: [String: PropertyList] = ["bits": .number(Int64(bits))]
        if let publicKey { fields["public"] = .data(publicKey) }
        return .dictionary(fields)
    }

    fileprivate init?(_ list: PropertyList) {
        guard case .dictionary(var fields) = list, case .number(let bits)? = fields.removeValue(forKey: "bits"),
            (1...16_384).contains(bits)
        else { return nil }
        self.init(publicKey: nil, bits: Int(bits))
        guard let value = fields.removeValue(forKey: "public") else {
            if fields.isEmpty { return }
            return nil
        }
        guard case .data(let bytes) = value, fields.isEmpty else { return nil }
        self.init(publicKey: bytes, bits: Int(bits))
    }
}

extension FactorEnvelope.Way {
    fileprivate var list: PropertyList {
        var fields = fieldsOfOutline
        fields["key"] = .data(wrapped)
        return .dictionary(fields)
    }

    /// Which way it is, without the key it leads to.
    fileprivate var outline: PropertyList { .dictionary(fieldsOfOutline) }

    private var fieldsOfOutline: [String: PropertyList] {
        var fields: [String: PropertyList] = [
            "factors": .number(Int64(factors.reduce(UInt8(0)) { $0 | $1.rawValue }))
        ]
        if let set { fields["set"] = .data(set) }
        if let point { fields["point"] = .data(point) }
        if let passcodeFactor { fields["of"] = .data(passcodeFactor) }
        return fields
    }

    fileprivate init?(_ list: PropertyList) {
        guard case .dictionary(var fields) = list, case .number(let number)? = fields.removeValue(forKey: "factors"),
            let bits = UInt8(exactly: number), bits < 8, case .data(let key)? = fields.removeValue(forKey: "key"),
            key.count == 32 + KeyWrap.overhead
        else { return nil }
        factors = FactorKind.allCases.filter { bits & $0.rawValue != 0 }
        guard let set = Self.data(&fields, "set", count: 32, isThere: factors.contains(.fingerSet)),
            let point = Self.data(&fields, "point", count: 32, isThere: factors.contains(.passcode)),
            let factor = Self.data(&fields, "of", count: 32, isThere: factors.contains(.passcode)), fields.isEmpty
        else { return nil }
        self.set = set.isEmpty ? nil : set
        self.point = point.isEmpty ? nil : point
        passcodeFactor = factor.isEmpty ? nil : factor
        wrapped = key
    }

    /// A field that is there when it has to be, and only then; empty when it has not.
    private static func data(
        _ fields: inout [String: PropertyList], _ name: String, count: Int, isThere: Bool
    ) -> [UInt8]? {
        guard isThere else { return fields[name] == nil ? [] : nil }
        guard case .data(let bytes)? = fields.removeValue(forKey: name), bytes.count == count else { return nil }
        return bytes
    }
}

extension PasscodeCost {
    fileprivate var list: PropertyList {
        .dictionary(["log2N": .number(Int64(log2N)), "r": .number(Int64(r)), "p": .number(Int64(p))])
    }

    /// Within what a machine can spare: a forged item must not cost gigabytes.
    fileprivate init?(_ list: PropertyList) {
        guard case .dictionary(let fields) = list, fields.count == 3, case .number(let log2N)? = fields["log2N"],
            case .number(let r)? = fields["r"], case .number(let p)? = fields["p"], (10...20).contains(log2N),
            (1...32).contains(r), (1...4).contains(p), 128 * r << log2N <= PasscodeCost.mostBytes
        else { return nil }
        self.init(log2N: UInt8(log2N), r: UInt32(r), p: UInt32(p))
    }

    private static let mostBytes: Int64 = 512 << 20
}
