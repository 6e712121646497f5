// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import KeychainRequest
import TestSeed

/// Random values of every type that messages are made of.
extension Seed {
    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    mutating func flip() -> Bool { oneIn(2) }
    mutating func maybe<Value>(_ value: (inout Seed) -> Value) -> Value? { oneIn(3) ? nil : value(&self) }

    mutating func some<Value>(upTo most: Int, _ value: (inout Seed) -> Value) -> [Value] {
        var values: [Value] = []
        for _ in 0..<below(most + 1) { values.append(value(&self)) }
        return values
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
    mutating func bytes() -> [UInt8] { bytes(oneIn(20) ? below(400) : below(12)) }

    mutating func text() -> String {
        let letters = ["", "a", "é", "e\u{301}", "ﬀ", "日本", "\0", "🔑", "Ａ", "x" + String(repeating: "y", count: 130)]
        return (0..<below(4)).map { _ in pick(letters) }.joined()
    }

    mutating func integer() -> Int64 {
        let number = Int64(bitPattern: next())
        return oneIn(2) ? number : number >> Int64(below(64))
    }

    mutating func date() -> Double {
        let seconds = Double(below(300_000_000_000) - 60_000_000_000)
        return flip() ? seconds : seconds + Double(below(1000)) / 1000
    }

    mutating func secret() -> SecretValue { SecretValue(copying: bytes(oneIn(5) ? below(2000) : below(40))) }
    mutating func id() -> PersistentID { PersistentID(high: next(), low: next()) }
    mutating func context() -> AuthenticationContextID { AuthenticationContextID(high: next(), low: next()) }
    mutating func itemClass() -> ItemClass { pick(ItemClass.allCases) }
    mutating func queriedClass() -> QueriedClass { oneIn(4) ? .identity : .stored(itemClass()) }
    mutating func returning() -> ReturnTypes { ReturnTypes(rawValue: UInt8(below(32))) }

    mutating func value(of kind: Attribute.Kind) -> AttributeValue {
        switch kind {
        case .string: .string(text())
        case .blob: pick([.string(text()), .data(bytes()), .number(integer())])
        case .data: .data(bytes())
        case .number: oneIn(4) ? .string("http") : .number(integer())
        case .flag: .number(Int64(below(2)))
        case .date: .date(date())
        case .uuid: .data(flip() ? [] : bytes(16))
        case .digest: .data(bytes(20))
        case .accessControl: .number(0)
        }
    }

    /// Attributes that a request may have for items of all the classes.
    mutating func attributes(
        of classes: [QueriedClass], without excluded: Set<Attribute> = [], atLeast least: Int = 0
    ) -> AttributeList {
        let own: Set<Attribute> = [.accessible, .accessControl, .accessGroup, .synchronizable, .tombstone]
        let known = Attribute.allCases.filter { attribute in
            classes.allSatisfy { attribute.isKnown(to: $0) } && !own.contains(attribute)
                && !excluded.contains(attribute)
        }
        var list = AttributeList()
        for _ in 0..<least + below(6) {
            let attribute = pick(known)
            list[attribute] = value(of: attribute.kind)
        }
        return list
    }

    mutating func constraint(depth: Int = 0) -> AccessConstraint {
        let factors: [AccessFactor] = [.passcode, .presence, .biometryAny, .biometrySet(nil), .companion]
        switch below(depth < 2 ? 4 : 3) {
        case 0: return .allowed
        case 1: return .forbidden
        case 2: return .factor(pick(factors))
        default:
            let parts = (0...below(3)).map { _ in constraint(depth: depth + 1) }
            return .atLeast(1 + below(parts.count), of: parts)
        }
    }

    mutating func accessControl() -> AccessControl {
        let protection = pick(Accessibility.allCases)
        if flip() { return AccessControl(protection: protection) }
        var rules = AccessRules([:], requiresPassword: flip())
        for operation in ProtectedOperation.allCases where flip() { rules.set(constraint(), on: operation) }
        rules.isMarkedBound = flip()
        return AccessControl(protection: protection, rules: rules)
    }

    mutating func terms(skipping: Bool) -> AuthenticationTerms {
        var terms = AuthenticationTerms(
            context: maybe { $0.context() },
            interaction: pick([.allowed, .forbidden, skipping ? .skipping : .allowed]),
            reason: maybe { $0.text() }, cancelTitle: maybe { $0.text() }, holder: nil)
        terms.request = maybe { AuthenticationRequestID(name: $0.context()) }
        return terms
    }

    mutating func group() -> ItemPredicate.GroupScope { pick([.everyGroupOfCaller, .named(text()), .unnameable]) }
}
