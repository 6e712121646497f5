// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// One of many clients of a daemon: it works on passwords of its own until a file says that it is enough, and knows what
/// was acknowledged.
final class LoadWorker {
    private let name: String
    private let journal: Journal
    private let own = Passwords(service: "own")
    private let progress: Int32
    private let isPatient: Bool
    private var values: [String: String] = [:]
    private var times: [Double] = []
    private var random: UInt64

    /// `name`, the folder of the journals, the file that ends it, `patient` when a daemon that is away is to be asked again,
    /// and perhaps a pipe that gets a byte for each change that was acknowledged.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count >= 4 else { return 64 }
        let worker = LoadWorker(
            arguments[0], journals: arguments[1], isPatient: arguments[3] == "patient",
            progress: arguments.dropFirst(4).first)
        var step = 0
        // One that a busy machine starts when it is already enough has something to tell, too.
        repeat {
            step += 1
            worker.work(step)
        } while access(arguments[2], F_OK) != 0
        worker.finish()
        return 0
    }

    private init(_ name: String, journals: String, isPatient: Bool, progress: String?) {
        self.name = name
        self.isPatient = isPatient
        journal = Journal(path: "\(journals)/\(name)")
        self.progress = progress.map { open($0, O_WRONLY | O_NONBLOCK | O_CLOEXEC) } ?? -1
        random = name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } | 1
    }

    private func work(_ step: Int) {
        let key = "\(name)-\(draw(12))"
        let value = "\(key)=\(step)"
        let before = values[key]
        switch draw(24) {
        case 0...7:
            let (status, isAgain) = call { own.add(key, value) }
            // What was asked twice may have been done the first time, with this value.
            let isKnown = status == errSecDuplicateItem && isAgain && before == nil
            let wanted = before == nil ? errSecSuccess : errSecDuplicateItem
            expect(isKnown ? errSecSuccess : status, wanted, "add \(key)")
            if before == nil { set(key, value) }
        case 8...11:
            let (status, _) = call { own.update(key, value) }
            expect(status, before == nil ? errSecItemNotFound : errSecSuccess, "update \(key)")
            if before != nil { set(key, value) }
        case 12...15:
            let (status, isAgain) = call { own.delete(key) }
            let isKnown = status == errSecItemNotFound && isAgain && before != nil
            let wanted = before == nil ? errSecItemNotFound : errSecSuccess
            expect(isKnown ? errSecSuccess : status, wanted, "delete \(key)")
            if before != nil { set(key, nil) }
        case 16: list()
        default:
            var found: String?
            let (status, _) = call {
                let result = own.find(key)
                found = result.value
                return result.status
            }
            expect(status, before == nil ? errSecItemNotFound : errSecSuccess, "find \(key)")
            if found != before { journal.complain("find \(key): \(found ?? "-") instead of \(before ?? "-")") }
        }
        journal.tick()
    }

    /// Everybody's items, of which those of this client have to be as it knows them.
    private func list() {
        var items: [String: Passwords.Entry] = [:]
        let (status, _) = call {
            let result = own.all()
            items = result.items
            return result.status
        }
        guard status == errSecSuccess || (status == errSecItemNotFound && values.isEmpty) else {
            return expect(status, errSecSuccess, "list")
        }
        let mine = items.filter { $0.key.hasPrefix("\(name)-") }.mapValues(\.value)
        if mine != values { journal.complain("a list has \(mine.count) items of \(values.count)") }
    }

    /// Makes a call, again as long as there is no daemon if this client is patient; tells whether it was made again.
    private func call(_ body: () -> OSStatus) -> (OSStatus, isAgain: Bool) {
        let start = now()
        defer { times.append(now() - start) }
        var status = body()
        var isAgain = false
        while isPatient, status == errSecNotAvailable {
            isAgain = true
            usleep(1000)
            status = body()
        }
        return (status, isAgain)
    }

    private func set(_ key: String, _ value: String?) {
        values[key] = value
        journal.note(key, is: value)
        var byte: UInt8 = 0
        // A pipe that is full has enough.
        if progress >= 0 { write(progress, &byte, 1) }
    }

    private func expect(_ status: OSStatus, _ expected: OSStatus, _ call: String) {
        if status != expected {
            journal.complain("\(call): \(status) instead of \(expected) \(Llavero.lastFailure ?? "")")
        }
    }

    /// Saves the journal, and says how long calls took.
    private func finish() {
        journal.save()
        times.sort()
        guard let longest = times.last else { return }
        print("calls", times.count, Int(times[times.count / 2]), Int(times[times.count * 99 / 100]), Int(longest))
    }

    private func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    private func draw(_ count: UInt64) -> UInt64 {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return random % count
    }
}
