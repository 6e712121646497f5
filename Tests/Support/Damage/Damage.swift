// SPDX-License-Identifier: Apache-2.0

/// One damage to one file of a keychain, and what comes after it.
struct Damage {
    enum Kind: String, CaseIterable {
        case bit, bits, sector, page, cut
    }

    /// Which keychain: `closed`, or `live` with a log.
    let keychain: String
    let file: String
    let kind: Kind
    let offset: Int
    /// Whether the keychain is repaired, or else used as it is.
    let isRepaired: Bool

    /// What of the file is other than it was.
    func range(in count: Int) -> Range<Int> {
        switch kind {
        case .bit, .bits: offset..<offset + 1
        case .sector: offset..<min(offset + 512, count)
        case .page: offset..<min(offset + 4096, count)
        case .cut: offset..<count
        }
    }

    func applied(to content: [UInt8]) -> [UInt8] {
        var content = content
        switch kind {
        // Another bit at each place; the others of a byte are as good.
        case .bit: content[offset] ^= 1 << UInt8((offset &* 5 &+ offset >> 3) % 8)
        case .bits: content[offset] ^= 0xff
        case .sector, .page: for position in range(in: content.count) { content[position] = 0 }
        case .cut: content.removeLast(content.count - offset)
        }
        return content
    }

    var name: String { "\(keychain) \(file), \(kind.rawValue) at \(offset)\(isRepaired ? ", repaired" : "")" }

    /// All of them, in an order that depends on the files' sizes alone.
    static func all(_ keychains: [SampleKeychain], _ plan: Plan) -> [Damage] {
        var seen = 0
        return keychains.flatMap { keychain in
            keychain.files.sorted { $0.key < $1.key }.flatMap { file, content -> [Damage] in
                guard plan.only.isEmpty || "\(keychain.name) \(file)".contains(plan.only) else { return [] }
                var damages: [Damage] = []
                func add(_ kind: Kind, _ places: some Sequence<Int>, repairing share: Int?) {
                    for (number, offset) in places.enumerated() {
                        let isRepairedToo = share.map { number % $0 == 0 } ?? false
                        for isRepaired in isRepairedToo ? [false, true] : [false] {
                            seen += 1
                            guard (seen - 1) % plan.every == 0 else { continue }
                            damages.append(
                                Damage(
                                    keychain: keychain.name, file: file, kind: kind, offset: offset,
                                    isRepaired: isRepaired))
                        }
                    }
                }
                let count = content.count
                func each(_ step: Int, from first: Int = 0) -> StrideTo<Int> {
                    stride(from: first, to: count, by: step)
                }
                let isLog = file.hasSuffix("-wal")
                // Of the keychain with a log the rest is that of the other one; nobody reads the reserve, and the log's index
                // is made anew.
                let isElsewhere = keychain.name == "live" && !isLog
                let step = file.hasSuffix("reserve") || file.hasSuffix("-shm") ? 1021 : isElsewhere ? 61 : 1
                if file.hasSuffix("reserve"), isElsewhere { return [] }
                add(.bit, each(step), repairing: step == 1 ? plan.repairsEvery : nil)
                // A page's sum, and a seal, are as wrong by eight bits as by one.
                add(
                    .bits, each(count > 1 << 14 ? step * 17 : step),
                    repairing: step == 1 ? 1 + plan.repairsEvery / 17 : nil)
                if count <= 4096 {
                    add(.cut, each(1), repairing: nil)
                } else {
                    let unit = isLog ? 4120 : 4096
                    add(.sector, each(512), repairing: step == 1 ? 1 : nil)
                    add(.page, each(unit, from: isLog ? 32 + 24 : 0), repairing: step == 1 ? 1 : nil)
                    add(.cut, stride(from: 0, to: count - unit, by: isLog ? 103 : 128), repairing: step == 1 ? 16 : nil)
                    if step == 1 { add(.cut, each(1, from: count - unit), repairing: nil) }
                }
                return damages
            }
        }
    }
}
