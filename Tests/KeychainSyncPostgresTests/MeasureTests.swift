// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainRequest
import KeychainSync
import KeychainSyncPostgres
import TestCircles
import TestPostgres
import TestProcesses
import Testing

/// What the way to the server costs beside what the server costs by itself; prints, and judges nothing but what came.
///
/// The figures of Docs/SyncOperations.md: `LLAVERO_TESTS=KeychainSyncPostgresTests KEYCHAIN_CIRCLE_RECORDS=100000
/// swift test -c release --scratch-path .build/onerel --filter MeasureTests` with the flags of Scripts/test-one.
@Suite(.serialized) struct MeasureTests {
    private static let view = CircleConformance.view(1)
    private static let part = 1000

    @Test("a commit of 1 000 beside COPY of the same, reading all of it beside COPY, and a poll")
    func costs() throws {
        let count = ProcessInfo.processInfo.environment["KEYCHAIN_CIRCLE_RECORDS"].flatMap { Int($0) } ?? 2000
        // A server that waits for its disk, as those of people do.
        let server = try PostgresServer(configuration: ["fsync = on"])
        try server.sql(SyncSchema.setUp)
        let ground = try Ground(server)
        let transport = try ground.local("ana")
        let parts = max(2, count / MeasureTests.part)

        var commits: [Double] = []
        for number in 1...parts {
            let insertion = MeasureTests.insertion(number)
            commits.append(try milliseconds { _ = try transport.perform(.insert(insertion)) })
        }
        let copies = try copy(server, ground, times: min(parts, 20))
        say("commit of 1 000", median(commits), beside: "COPY of the same", median(copies))

        var found = 0
        let reading = try milliseconds {
            for number in 1...parts {
                let places = MeasureTests.insertion(number).records.map(\.record.place)
                guard case .records(let records) = try transport.perform(.records(MeasureTests.view, places)) else {
                    return
                }
                found += records.count
            }
        }
        #expect(found == parts * MeasureTests.part)
        let plain = try psql(
            server,
            "\\copy (select n, c, id, body from llavero.lv_record where who = '\(ground.role("ana"))') to '/dev/null' (format binary)"
        )
        say("reading \(found) by their places", reading, beside: "COPY of them", plain.last ?? 0)

        let polls = try (0..<1000).map { _ in
            try milliseconds { _ = try transport.perform(.newest([.log, .heads(MeasureTests.view)])) }
        }
        print("poll: \(text(median(polls))) ms")
    }

    private static func insertion(_ number: Int) -> CircleInsertion {
        var insertion = CircleInsertion()
        insertion.chains = [(.heads(view), ChainBody(number: UInt64(number), body: [UInt8](repeating: 1, count: 500)))]
        insertion.records = (0..<part).map { place in
            let record = CircleConformance.record(number * part + place, UInt64(number))
            return (
                view,
                RecordBody(place: record.place, body: [UInt8](repeating: UInt8(truncatingIfNeeded: place), count: 562))
            )
        }
        return insertion
    }

    /// The same rows by COPY, each time one transaction; psql says how long each took.
    private func copy(_ server: PostgresServer, _ ground: Ground, times: Int) throws -> [Double] {
        let circle = hexadecimal(ground.circle.bytes)
        var script = ""
        for number in 1...times {
            let rows = MeasureTests.insertion(1_000_000 + number).records.map { view, record in
                "\\\\x\(circle)\t\\\\x\(hexadecimal(view.bytes))\t\(record.place.head)\t42\t\\\\x\(hexadecimal(record.place.id.bytes))"
                    + "\tcopied\t\\\\x\(hexadecimal(record.body))\n"
            }
            let file = server.folder.file("rows-\(number)")
            try rows.joined().write(toFile: file, atomically: true, encoding: .utf8)
            script += "\\copy llavero.lv_record (circle, view, n, c, id, who, body) from '\(file)'\n"
        }
        return try psql(server, script)
    }

    private func psql(_ server: PostgresServer, _ script: String) throws -> [Double] {
        let output = try server.sql("\\timing on\n" + script)
        return output.split(separator: "\n").compactMap { line in
            line.hasPrefix("Time: ") ? line.split(separator: " ").dropFirst().first.flatMap { Double($0) } : nil
        }
    }

    private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
    }

    private func say(_ what: String, _ time: Double, beside other: String, _ limit: Double) {
        print("\(what): \(text(time)) ms; \(other): \(text(limit)) ms; ratio \(text(time / limit))")
    }

    private func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
    private func text(_ number: Double) -> String { String(format: "%.2f", number) }
    private func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
}
