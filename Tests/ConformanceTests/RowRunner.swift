// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// Runs one row through one way in.
struct RowRunner {
    /// Where the clock stands when a row begins, in seconds since 2001.
    static let startOfTime = 800_000_000.0
    /// Text that rows put into values; an explanation that holds it has leaked one.
    static let marker = "do-not-log"

    private let row: VectorRow
    private let way: any WayIn
    private var objects = ScenarioObjects()

    static func run(_ row: VectorRow, through kind: WayInKind) throws {
        var runner = RowRunner(row: row, way: try kind.begin(row))
        tell("\(kind.rawValue): \(row.id), \(row.scenario)")
        for (index, step) in row.steps.enumerated() {
            let place = "\(row.id) step \(index + 1) (\(step.name))"
            guard try runner.run(step, at: place) else { break }
        }
        #expect(try runner.way.end().isEmpty, "\(row.id): the keychain is not clean afterwards")
    }

    /// What happens, line by line, where one row is looked at alone.
    private static func tell(_ line: String) {
        guard VectorFolder.chosenRow != nil else { return }
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }

    private init(row: VectorRow, way: any WayIn) {
        self.row = row
        self.way = way
    }

    /// Returns whether it makes sense to go on.
    private mutating func run(_ step: VectorStep, at place: String) throws -> Bool {
        guard let reply = try reply(to: step) else { return true }
        let explanation = reply.explanation ?? "no explanation"
        RowRunner.tell("    \(place): \(reply.status)" + (reply.explanation.map { ", \($0)" } ?? ""))
        #expect(!explanation.contains(RowRunner.marker), "\(place): the explanation shows a value")
        let expected = way is CWayIn ? step.statusInC : step.status
        #expect(reply.status == expected, "\(place): \(explanation)")
        guard reply.status == expected else { return false }
        if reply.status != 0 {
            #expect(reply.result == nil, "\(place): a failure has a result")
            #expect(reply.explanation?.isEmpty != true, "\(place): a failure is not explained")
        }
        if let expectation = way is CWayIn ? step.resultInC : step.result {
            let complaint = try expectation.complaint(about: reply.result, objects)
            #expect(complaint == nil, "\(place)")
        }
        if let name = step.save {
            objects.save(try #require(reply.result, "\(place): nothing to save"), as: name)
        }
        return true
    }

    private func reply(to step: VectorStep) throws -> Reply? {
        switch step.action {
        case .add(let attributes):
            return try way.add(try objects.dictionary(attributes), wantsResult: !step.discardsResult)
        case .copy(let query):
            return try way.copy(try objects.dictionary(query), wantsResult: !step.discardsResult)
        case .update(let query, let attributes):
            return try way.update(try objects.dictionary(query), try objects.dictionary(attributes))
        case .delete(let query): return try way.delete(try objects.dictionary(query))
        case .key(let step): return try way.perform(try step.call(objects))
        case .accessControl(let step): return try way.perform(try step.call(objects))
        case .person(let step): return try reply(to: step)
        case .backup(.make): return try way.makeBackup()
        case .backup(.restore(let backup, let replaces)):
            return try way.restore(try objects.object(backup), replaces: replaces)
        case .entitle(let entitlements): try way.setEntitlements(entitlements)
        case .setClock(let moment): try way.setClock(moment)
        case .advanceClock(let seconds): try way.advanceClock(by: seconds)
        case .lock(let state): try way.setLockState(state)
        case .restart: try way.restart()
        }
        return nil
    }

    private func reply(to step: PersonStep) throws -> Reply? {
        switch step {
        case .setPasscode(let passcode): try way.setPasscode(passcode)
        case .changePasscode(let old, let new): try way.changePasscode(from: old, to: new)
        case .removePasscode(let passcode): try way.removePasscode(passcode)
        case .enroll(let fingers): try way.enroll(fingers)
        case .questions:
            return Reply(status: errSecSuccess, result: NSArray(array: way.questions.map { NSString(string: $0) }))
        case .makeContext(let description):
            return Reply(status: errSecSuccess, result: try way.makeContext(description))
        case .invalidate(let context): try way.invalidate(try objects.object(context))
        }
        return nil
    }
}
