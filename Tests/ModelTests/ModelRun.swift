// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSeed

/// The same operations on a keychain and on the model, step by step.
struct ModelRun {
    let keychain: IsolatedKeychain
    private var model = ModelKeychain()
    private var source: OperationSource
    private var references: Set<[UInt8]> = []
    private var history: [String] = []
    private(set) var step = 0
    /// How often each status was the answer.
    private(set) var tally: [OSStatus: Int] = [:]

    init(_ storage: IsolatedKeychain.Storage, seed: Seed) throws {
        keychain = try IsolatedKeychain(storage)
        source = OperationSource(seed: seed)
        keychain.entitlements = Entitlements(keychainAccessGroups: model.groups)
        setClock()
    }

    private func setClock() {
        keychain.setClock(Date(timeIntervalSinceReferenceDate: Double(model.now) / 1000))
    }

    /// Does that many steps; what went wrong at the first that did, or nil.
    mutating func run(steps: Int) -> String? {
        for _ in 0..<steps {
            step += 1
            let operation = source.next(model)
            history.append("\(step) \(operation)")
            if history.count > 12 { history.removeFirst() }
            if let trouble = perform(operation) ?? (step % 1000 == 0 ? examine() : nil) { return report(trouble) }
        }
        return examine().map(report)
    }

    private func report(_ trouble: String) -> String {
        "KEYCHAIN_SEED=\(source.seed.number), step \(step): \(trouble)\n" + history.joined(separator: "\n")
    }

    private mutating func perform(_ operation: Operation) -> String? {
        switch operation {
        case .add(let terms):
            let (status, reply) = attempt { model throws(Refusal) in try model.add(terms) }
            return compare([status], reply, terms) { SecItemAdd(terms.dictionary, &$0) }
        case .copy(let terms):
            let (status, reply) = attempt { model throws(Refusal) in try model.copy(terms) }
            return compare([status], reply, terms) { SecItemCopyMatching(terms.dictionary, &$0) }
        case .update(let terms, let changes):
            let (status, statuses) = attempt { model throws(Refusal) in try model.update(terms, changes) }
            return compare(statuses ?? [status], nil, [:]) { _ in
                SecItemUpdate(terms.dictionary, changes.dictionary)
            }
        case .delete(let terms):
            let (status, _) = attempt { model throws(Refusal) in try model.delete(terms) }
            return compare([status], nil, [:]) { _ in SecItemDelete(terms.dictionary) }
        case .lock(let state):
            model.lock = state
            keychain.lockState = state
        case .clock(let milliseconds):
            model.now += milliseconds
            setClock()
        case .groups(let groups):
            model.groups = groups
            keychain.entitlements = Entitlements(keychainAccessGroups: groups)
        }
        return nil
    }

    private mutating func attempt<Success>(
        _ body: (inout ModelKeychain) throws(Refusal) -> Success
    ) -> (status: OSStatus, value: Success?) {
        do throws(Refusal) { return (errSecSuccess, try body(&model)) } catch { return (error.status, nil) }
    }

    private mutating func compare(
        _ statuses: Set<OSStatus>, _ reply: ModelKeychain.Reply?, _ terms: Terms, _ call: (inout CFTypeRef?) -> OSStatus
    ) -> String? {
        let untouched = NSObject()
        var result: CFTypeRef? = untouched
        let status = keychain.use { call(&result) }
        tally[status, default: 0] += 1
        guard statuses.contains(status) else {
            return "\(status) instead of \(statuses.sorted()), saying \(Llavero.lastFailure ?? "nothing")"
        }
        guard status == errSecSuccess, let reply else {
            return result === untouched ? nil : "the result was touched"
        }
        let wanted = Set(terms.filter { $0.key.hasPrefix("r_") && $0.value == .flag(true) }.keys)
        var learnt: [(serial: Int, reference: [UInt8])] = []
        let trouble = Comparison.trouble(reply, wanted, result, untouched: untouched) { item, bytes in
            if let known = item.reference { return known == bytes }
            learnt.append((item.serial, bytes))
            return bytes.count == 20 && bytes.starts(with: item.itemClass.utf8) && !references.contains(bytes)
        }
        for (serial, reference) in learnt {
            references.insert(reference)
            for index in model.items.indices where model.items[index].serial == serial {
                model.items[index].reference = reference
            }
        }
        return trouble
    }

    /// Every item the caller may see, of every kind, and the keychain's own opinion of itself.
    private mutating func examine() -> String? {
        _ = perform(.lock(.unlocked))
        for itemClass in ItemRules.classes {
            for isTombstone in [false, true] {
                let everything: Terms = [
                    "class": .text(itemClass), "sync": .text("syna"), "tomb": .flag(isTombstone),
                    "m_Limit": .text("m_LimitAll"), "r_Attributes": .flag(true), "r_Data": .flag(true),
                    "r_PersistentRef": .flag(true),
                ]
                if let trouble = perform(.copy(everything)) { return "all \(itemClass): \(trouble)" }
            }
        }
        do {
            let findings = try keychain.check()
            return findings.isEmpty ? nil : "check: \(findings)"
        } catch { return "check: \(error)" }
    }
}
