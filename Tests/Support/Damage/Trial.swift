// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainModel
import KeychainStore
import Security

/// What a damaged keychain answered, in counts of items.
struct Verdict {
    var (right, refused, wrong, missing, second, short) = (0, 0, 0, 0, 0, 0)
    /// Items that a repair did not bring back though their bytes were not hit.
    var beyond = 0
    /// Of a repair: items that are back.
    var saved = 0
    /// What the items that are not right were answered with.
    var statuses: Set<OSStatus> = []
    /// What is against the rules.
    var violations: [String] = []
    /// What is worth a line, and within them.
    var notes: [String] = []

    /// Whether every item that was asked for was found as it was.
    var isRight: Bool { refused + wrong + missing + second == 0 && violations.isEmpty }

    /// One line; the texts have no tabs.
    var line: String {
        let counts = [right, refused, wrong, missing, second, short, beyond, saved].map(String.init)
        let texts = [statuses.sorted().map(String.init), violations, notes].map { texts in
            texts.map { $0.replacing("\t", with: " ").replacing("\n", with: " ").replacing("|", with: "/") }
                .joined(separator: "|")
        }
        return (counts + texts).joined(separator: "\t")
    }

    init() {}

    init?(_ line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        let counts = fields.prefix(8).compactMap { Int($0) }
        guard fields.count == 11, counts.count == 8 else { return nil }
        (right, refused, wrong, missing) = (counts[0], counts[1], counts[2], counts[3])
        (second, short, beyond, saved) = (counts[4], counts[5], counts[6], counts[7])
        let texts = fields.suffix(3).map { $0.split(separator: "|").map(String.init) }
        statuses = Set(texts[0].compactMap { OSStatus($0) })
        violations = texts[1]
        notes = texts[2]
    }
}

/// Uses, or repairs, one damaged keychain.
struct Trial {
    let expected: Expectation
    let ground: Ground
    let damage: Damage
    let number: Int

    // MARK: Use

    private enum Answer: Equatable {
        case right
        case missing
        case wrong
        case refused(OSStatus)
    }

    private func answer(_ item: Expectation.Item, _ keychain: IsolatedKeychain) -> Answer {
        var result: CFTypeRef?
        let status = keychain.use { SecItemCopyMatching(item.query, &result) }
        switch status {
        case errSecSuccess: return Self.isSame(result, item.secret) ? .right : .wrong
        case errSecItemNotFound: return .missing
        default: return .refused(status)
        }
    }

    /// Compared in place: this is asked millions of times.
    private static func isSame(_ result: CFTypeRef?, _ secret: [UInt8]) -> Bool {
        guard let data = result as? NSData, data.length == secret.count, !secret.isEmpty else { return false }
        return memcmp(data.bytes, secret, secret.count) == 0
    }

    private static let new: [String: any Sendable] = [
        "class": "genp", "svce": "what was not there", "acct": "new", "v_Data": Data("new".utf8),
    ]

    /// Whether everything is asked, which takes as long as five other cases.
    ///
    /// The others find a fifth of the items, another fifth each time, and add one that is there in a third of the cases, and wherever
    /// one was refused. So bytes beside each other together are asked for all.
    private var isFull: Bool { number % 7 == 0 || damage.kind == .sector || damage.kind == .page }

    private var asked: [Expectation.Item] {
        isFull ? expected.items : expected.items.enumerated().filter { $0.offset % 5 == number % 5 }.map(\.element)
    }

    /// Finds items, lists all, adds what is there and what is not, and looks again after another start.
    func use() throws -> Verdict {
        var verdict = Verdict()
        var keychain = try ground.opened()
        let asked = asked
        var chosen = number % 3 == 0 ? [expected.items[number % expected.items.count]] : []
        var missing: [String] = []
        for item in asked {
            let answer = answer(item, keychain)
            switch answer {
            case .right: verdict.right += 1
            case .missing:
                verdict.missing += 1
                missing.append(item.name)
            case .wrong:
                verdict.wrong += 1
                verdict.violations.append("a wrong value of \(item.name)")
            case .refused(let status):
                verdict.refused += 1
                verdict.statuses.insert(status)
            }
            if answer != .right, chosen.count < 2 { chosen.append(item) }
        }
        if isFull || verdict.missing > 0 { judgeLists(keychain, &verdict) }
        // Items whose changes were in a log that is cut are gone; but not without a word.
        if verdict.missing > 0 || number % 31 == 0 || verdict.refused > 0 && number % 11 == 0 {
            let findings = (try? keychain.check()) ?? ["it cannot be checked"]
            let isWhole = verdict.right == asked.count
            if findings.isEmpty, !isWhole {
                verdict.violations.append(
                    "\(asked.count - verdict.right) items are not right, and the check finds nothing")
            }
            if verdict.missing > 0 {
                verdict.notes.append(
                    "not found: \(missing.joined(separator: ", ")): \(findings.prefix(3).joined(separator: "; "))")
            }
        }
        for item in chosen where !missing.contains(item.name) {
            let status = keychain.use { SecItemAdd(SampleKeychain.added(item.number) as CFDictionary, nil) }
            if status == errSecSuccess {
                verdict.second += 1
                verdict.violations.append("a second \(item.name)")
            } else if status == errSecItemNotFound {
                verdict.violations.append("adding \(item.name): \(status)")
            }
        }
        guard isFull else { return verdict }
        let isAdded = addNew(keychain, &verdict)
        keychain = try ground.opened()
        for item in chosen where !missing.contains(item.name) {
            switch answer(item, keychain) {
            case .right, .refused: break
            case .wrong:
                verdict.wrong += 1
                verdict.violations.append("after another start: a wrong value of \(item.name)")
            case .missing:
                verdict.missing += 1
                verdict.violations.append("after another start: \(item.name) is not found")
            }
        }
        if isAdded { findNew(keychain, &verdict) }
        return verdict
    }

    private func judgeLists(_ keychain: IsolatedKeychain, _ verdict: inout Verdict) {
        for itemClass in Expectation.classes {
            let (status, listed) = Expectation.references(itemClass, in: keychain)
            // Foundation takes as long to compare fifty dictionaries as all the rest of a case takes.
            let isThorough = number % 29 == 0
            for item in isThorough ? Expectation.list(itemClass, in: keychain).items : []
            where expected.byReference[Expectation.reference(item)]?.whole != item {
                verdict.wrong += 1
                verdict.violations.append("a list has what never was: \(item["acct"] ?? item["labl"] ?? "")")
            }
            for reference in listed where expected.byReference[reference] == nil {
                verdict.wrong += 1
                verdict.violations.append("a list has what never was: \(reference as NSData)")
            }
            let all = expected.count(of: itemClass)
            if Set(listed).count != listed.count {
                verdict.violations.append("a list of \(itemClass) has an item twice")
            }
            if status == errSecItemNotFound, verdict.missing == 0 {
                verdict.violations.append("a list of \(itemClass): nothing is there")
            }
            if status == errSecSuccess, listed.count < all { verdict.short += 1 }
        }
    }

    private func addNew(_ keychain: IsolatedKeychain, _ verdict: inout Verdict) -> Bool {
        let status = keychain.use { SecItemAdd(Self.new as CFDictionary, nil) }
        if status == errSecDuplicateItem { verdict.violations.append("a new item is there already") }
        guard status == errSecSuccess else { return false }
        findNew(keychain, &verdict)
        return true
    }

    private func findNew(_ keychain: IsolatedKeychain, _ verdict: inout Verdict) {
        var result: CFTypeRef?
        var query: [String: Any] = Self.new
        query["v_Data"] = nil
        query["r_Data"] = true
        let status = keychain.use { SecItemCopyMatching(query as CFDictionary, &result) }
        let isRight = status == errSecSuccess && Self.isSame(result, Array("new".utf8))
        if !isRight, status == errSecSuccess || status == errSecItemNotFound {
            verdict.violations.append("what was added new: \(status)")
        }
    }

    // MARK: Repair

    /// Repairs, and counts what is back; `hit` are the items with damaged bytes of their own.
    func repair(hit: Set<String>) throws -> Verdict {
        var verdict = Verdict()
        let outcome: KeychainRepair.Outcome
        do throws(KeychainError) {
            outcome = try KeychainRepair(ground.place).run(nil, isDryRun: false)
        } catch {
            verdict.refused = expected.items.count
            verdict.statuses.insert(errSecNotAvailable)
            // Where nothing of the items is left, there is nothing to bring back.
            if hit.count < expected.items.count { verdict.violations.append("it cannot be repaired: \(error)") }
            return verdict
        }
        let keychain = try ground.opened()
        var found: Set<String> = []
        for itemClass in Expectation.classes {
            for item in Expectation.list(itemClass, in: keychain).items {
                guard let known = expected.byReference[Expectation.reference(item)], known.whole == item else {
                    verdict.wrong += 1
                    verdict.violations.append("repaired: what never was: \(item["acct"] ?? item["labl"] ?? "")")
                    continue
                }
                found.insert(known.name)
            }
        }
        verdict.saved = found.count
        verdict.right = found.count
        let lost = expected.items.map(\.name).filter { !found.contains($0) }
        let beyond = lost.filter { !hit.contains($0) }
        verdict.beyond = beyond.count
        if !beyond.isEmpty {
            verdict.notes.append(
                "lost though not hit: \(beyond.joined(separator: ", ")); the report names \(outcome.report.lost.count)")
        }
        let named = outcome.report.lost.count
        if named < lost.count { verdict.notes.append("of \(lost.count) lost items \(named) are named") }
        for item in expected.items where found.contains(item.name) && answer(item, keychain) != .right {
            verdict.violations.append("repaired: \(item.name) is listed and not found")
        }
        let findings = (try? keychain.check()) ?? ["it cannot be checked"]
        // A log that ends with a commit looks whole: there is nothing to repair, and what was lost is told until it is accepted.
        let isTold =
            findings.isEmpty
            || damage.kind == .cut && findings.allSatisfy { $0.contains("missing that had been stored") }
        if !isTold { verdict.violations.append("repaired: \(findings.joined(separator: "; "))") }
        return verdict
    }
}
