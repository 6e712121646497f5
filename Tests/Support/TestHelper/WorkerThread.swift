// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// One thread's random work on keys of its own, whose state it knows exactly, and on keys it shares with everybody.
final class WorkerThread {
    private let name: String
    private let journal: Journal
    private let own = Passwords(service: "own")
    private let shared = Passwords(service: "shared")
    private var values: [String: String] = [:]
    private var random: UInt64

    init(name: String, journals: String) {
        self.name = name
        journal = Journal(path: "\(journals)/\(name)")
        random = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
    }

    func run(until end: Date) {
        var step = 0
        while Date() < end {
            step += 1
            if draw(4) == 0 { workShared(step) } else { workOwn(step) }
            journal.tick()
        }
        journal.save()
    }

    /// Goes every way there is, a few times.
    ///
    /// Swift's runtime builds what generic code needs at its first use, under locks that know nothing of fork: a child
    /// forked in that moment would wait for ever, in the code of anybody. So a program that forks does its first work
    /// before it starts threads.
    func warmUp() {
        for step in 0..<80 {
            workShared(step)
            workOwn(step)
            journal.tick()
        }
        journal.save()
    }

    private func workOwn(_ step: Int) {
        let key = "\(name)-\(draw(12))"
        let value = "\(key)=\(step)"
        let before = values[key]
        switch draw(5) {
        case 0, 1:
            let status = own.add(key, value)
            expect(status, before == nil ? errSecSuccess : errSecDuplicateItem, "add \(key)")
            if status == errSecSuccess { set(key, value) }
        case 2:
            let status = own.update(key, value)
            expect(status, before == nil ? errSecItemNotFound : errSecSuccess, "update \(key)")
            if status == errSecSuccess { set(key, value) }
        case 3:
            let status = own.delete(key)
            expect(status, before == nil ? errSecItemNotFound : errSecSuccess, "delete \(key)")
            if status == errSecSuccess { set(key, nil) }
        default:
            let (status, value) = own.find(key)
            expect(status, before == nil ? errSecItemNotFound : errSecSuccess, "find \(key)")
            if value != before { journal.complain("find \(key): \(value ?? "-") instead of \(before ?? "-")") }
        }
    }

    private func workShared(_ step: Int) {
        let key = "shared-\(draw(6))"
        let value = "\(key)=\(name)-\(step)"
        let status: OSStatus
        switch draw(4) {
        case 0: status = shared.add(key, value)
        case 1: status = shared.update(key, value)
        case 2: status = shared.delete(key)
        default:
            let found = shared.find(key)
            status = found.status
            if let value = found.value, !value.hasPrefix("\(key)=") {
                journal.complain("find \(key): \(value)")
            }
        }
        if ![errSecSuccess, errSecDuplicateItem, errSecItemNotFound].contains(status) {
            journal.complain("\(key): \(status) \(Llavero.lastFailure ?? "")")
        }
    }

    private func set(_ key: String, _ value: String?) {
        values[key] = value
        journal.note(key, is: value)
    }

    private func expect(_ status: OSStatus, _ expected: OSStatus, _ call: String) {
        if status == expected { return }
        let why = status == errSecSuccess ? "" : Llavero.lastFailure ?? ""
        journal.complain("\(call): \(status) instead of \(expected) \(why)")
    }

    private func draw(_ count: UInt64) -> UInt64 {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return random % count
    }
}
