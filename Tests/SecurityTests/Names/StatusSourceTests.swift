// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainStatus
import Security
import Testing

/// The constants of `Security` are made of the table in `KeychainStatus` by a script; these tests see that they are its.
@Suite struct StatusSourceTests {
    @Test("a status is documented by the message it has, and a documented status has a message")
    func documentation() throws {
        let statuses = try StatusSource.statuses()
        #expect(statuses.count == 463)
        for status in statuses where !status.documentation.hasPrefix("Another spelling") {
            let message = SecCopyErrorMessageString(status.number, nil) as String?
            #expect(message == status.documentation, "\(status.name)")
        }
    }

    @Test("every sentence belongs to a number that has a name, and no number has two")
    func named() throws {
        let rows = StatusTable.rows
        let numbers = rows.map(\.status.number)
        #expect(Set(numbers).count == numbers.count)
        let statuses = try StatusSource.statuses()
        #expect(Set(numbers) == Set(statuses.map(\.number)))
        let declared = Dictionary(uniqueKeysWithValues: statuses.map { ($0.name, $0.number) })
        for row in rows { #expect(declared[row.name] == row.status.number, "\(row.name)") }
    }

    @Test("no status is declared twice")
    func distinct() throws {
        let names = try StatusSource.statuses().map(\.name)
        #expect(Set(names).count == names.count)
    }
}

private struct StatusSource {
    let name: String
    let number: OSStatus
    let documentation: String

    static func statuses() throws -> [StatusSource] {
        let root = (1...4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder = root.appendingPathComponent("Sources/Security/Status").resolvingSymlinksInPath()
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.flatMap { try statuses(in: String(contentsOf: $0, encoding: .utf8)) }
    }

    private static func statuses(in source: String) -> [StatusSource] {
        var found: [StatusSource] = []
        var documentation: [String] = []
        for line in source.split(separator: "\n") {
            if line.hasPrefix("///") {
                documentation.append(line.dropFirst(3).trimmingCharacters(in: .whitespaces))
                continue
            }
            if let match = line.wholeMatch(of: /public let (\w+): OSStatus = (-?\d+)/), let number = OSStatus(match.2) {
                let sentences = documentation.filter { !$0.isEmpty }.joined(separator: " ")
                found.append(StatusSource(name: String(match.1), number: number, documentation: sentences))
            }
            documentation = []
        }
        return found
    }
}
