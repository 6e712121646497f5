// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite struct VectorCatalogueTests {
    /// The scenarios of the semantics file, §10.2, that this catalogue answers for.
    private static let families = [
        ("A", 19), ("B", 20), ("C", 19), ("D", 13), ("E", 19), ("F", 13), ("G", 7), ("H", 10), ("I", 10),
        ("J", 10), ("M", 19), ("N", 14), ("O", 6),
    ]

    @Test("every scenario is a row, or is listed for later with a reason, and never both")
    func complete() throws {
        let folder = try VectorFolder.shared.get()
        let ids = folder.rows.map(\.id) + folder.later.map(\.id)
        for (family, count) in VectorCatalogueTests.families {
            for number in 1...count {
                let id = "\(family)\(number)"
                #expect(ids.count { $0 == id } == 1, "\(id)")
            }
        }
    }

    @Test("no two rows have one name")
    func unique() throws {
        let folder = try VectorFolder.shared.get()
        let ids = folder.rows.map(\.id) + folder.later.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test("a row that differs from Apple names the decision, or the issue that left something out")
    func oursIsExplained() throws {
        for row in try VectorFolder.shared.get().rows {
            guard let ours = row.ours else { continue }
            #expect(ours == "issue 2 scope" || ours.wholeMatch(of: /D[1-9][0-9]?/) != nil, "\(row.id)")
        }
    }

    @Test(
        "a misspelt field is refused instead of skipped",
        arguments: [
            #"{"id": "x", "scenario": "s", "step": []}"#,
            #"{"id": "x", "scenario": "s", "steps": []}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "copy", "query": {}, "expects": 0}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "find", "query": {}}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "copy", "query": {"acct": {"$utf": "a"}}}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "copy", "query": {"acct": null}}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "copy", "query": {}, "result": {"dictionry": {}}}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "lock", "state": "closed"}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "sign", "key": "k", "data": "d"}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "exportKey", "key": "k", "algorithm": "a"}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "add", "query": {"v_Ref": {"$policy": "nope"}}}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "passcode"}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "isBound", "accessControl": "a", "flags": []}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "add", "query": {"accc": {"$accessControl": {"flag": 1}}}}]}"#,
            #"{"id": "x", "scenario": "s", "person": {"answer": []}, "steps": [{"op": "restart"}]}"#,
            #"{"id": "x", "scenario": "s", "steps": [{"op": "add", "query": {"v_Ref": {"$key": "a", "part": "b"}}}]}"#,
        ])
    func strict(text: String) throws {
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(throws: VectorError.self) { try VectorRow(json, at: "test") }
    }
}
