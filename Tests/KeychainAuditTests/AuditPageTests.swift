// SPDX-License-Identifier: Apache-2.0

import KeychainAudit
import Testing

/// What is told of a log to whoever does not get its key.
@Suite struct AuditPageTests {
    private func page(_ scene: AuditScene, after number: Int64, atMost limit: Int64) throws -> AuditPage {
        let reader = AuditReader(folder: scene.path, key: try AuditScene.key(), boot: BootID(high: 1, low: 1))
        guard case .page(let page) = try reader.answer(to: .records(after: number, atMost: limit)) else {
            throw AuditError.closed
        }
        return page
    }

    @Test(
        "pages of any size have every record once and in order, over all files",
        arguments: [1, 7, 300, 10_000] as [Int64])
    func pages(size: Int64) throws {
        let scene = try AuditScene()
        try scene.write(40, fileSize: 4096)
        let all = try page(scene, after: 0, atMost: AuditPage.mostRecords)
        #expect(all.isLast && all.isIntact)
        #expect(Int64(all.records.count) == (try scene.verify().records))
        var (records, number) = ([AuditRecord](), Int64(0))
        while true {
            let page = try page(scene, after: number, atMost: size)
            #expect(page.records.count <= size)
            records += page.records
            if page.isLast { break }
            number = try #require(page.records.last).number
        }
        #expect(records == all.records)
        let end = try page(scene, after: .max, atMost: size)
        #expect(end.records.isEmpty && end.isLast)
    }

    @Test("a verdict says in words what was found, and a page whether something was")
    func broken() throws {
        let scene = try AuditScene()
        try scene.write(20)
        var bytes = try scene.bytes(scene.file(1))
        bytes[bytes.count / 2] ^= 1
        try scene.put(bytes, into: scene.file(1))
        let reader = AuditReader(folder: scene.path, key: try AuditScene.key(), boot: BootID(high: 1, low: 1))
        guard case .verdict(let verdict) = try reader.answer(to: .verdict) else {
            Issue.record("another answer came")
            return
        }
        #expect(!verdict.isIntact)
        #expect(verdict.findings.contains { $0.isAlarming && $0.text.contains("record was altered") })
        #expect(verdict.findingCount == Int64(try scene.verify().findingCount))
        #expect(try !page(scene, after: 0, atMost: 5).isIntact)
    }
}
