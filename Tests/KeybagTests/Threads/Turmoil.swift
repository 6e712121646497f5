// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Synchronization

/// Threads that work on items of every class while one more does something to the keys.
enum Turmoil {
    /// What can come of a call on an item while nobody locks.
    static func unlocked(_ status: OSStatus, _ protection: Protection) -> Set<OSStatus> { [status] }

    /// What can come of it while somebody does.
    static func lockable(_ status: OSStatus, _ protection: Protection) -> Set<OSStatus> {
        switch protection {
        case .ak, .aku, .akpu: [status, errSecInteractionNotAllowed]
        case .ck, .cku, .dk, .dku: [status]
        }
    }

    /// What a thread saw that it should not have, and what it stored.
    struct Report: Sendable {
        var troubles: [String] = []
        var stored: [TestItem] = []
        var refused: [TestItem] = []

        mutating func expect(_ status: OSStatus, _ allowed: Set<OSStatus>, _ call: String, _ item: TestItem) {
            if !allowed.contains(status) { troubles.append("\(call) \(item.name): \(status)") }
        }

        static func + (left: Report, right: Report) -> Report {
            Report(
                troubles: left.troubles + right.troubles, stored: left.stored + right.stored,
                refused: left.refused + right.refused)
        }
    }

    /// One round of a thread's work: everything about one class after the other.
    private static func work(
        _ name: String, by program: Program, _ report: inout Report,
        _ allowed: (OSStatus, Protection) -> Set<OSStatus>
    ) {
        for protection in Protection.allCases {
            let kept = TestItem("kept", protection)
            let new = TestItem(name, protection)
            report.expect(program.find(kept), allowed(errSecSuccess, protection), "find", kept)
            report.expect(program.add(kept), allowed(errSecDuplicateItem, protection), "add", kept)
            report.expect(program.update(kept, label: name), allowed(errSecSuccess, protection), "update", kept)
            let missing = TestItem("missing", protection)
            report.expect(program.find(missing), [errSecItemNotFound], "find", missing)
            let status = program.add(new)
            report.expect(status, allowed(errSecSuccess, protection), "add", new)
            if status == errSecSuccess { report.stored.append(new) } else { report.refused.append(new) }
            let doomed = TestItem("\(name) doomed", protection)
            if program.add(doomed) == errSecSuccess {
                report.expect(program.delete(doomed), [errSecSuccess], "delete", doomed)
            }
        }
    }

    /// Runs `change` again and again in one thread while three others work, until that has happened `rounds` times.
    static func run(
        _ program: Program, rounds: Int, allowed: @Sendable (OSStatus, Protection) -> Set<OSStatus>,
        change: @Sendable (Int) throws -> Void
    ) -> Report {
        let reports = Mutex(Report())
        let isOver = Atomic(false)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var report = Report()
            if thread == 0 {
                do { for round in 0..<rounds { try change(round) } } catch { report.troubles.append("\(error)") }
                isOver.store(true, ordering: .relaxed)
            } else {
                var round = 0
                repeat {
                    work("thread \(thread) round \(round)", by: program, &report, allowed)
                    round += 1
                } while !isOver.load(ordering: .relaxed)
            }
            reports.withLock { $0 = $0 + report }
        }
        return reports.withLock { $0 }
    }
}
