// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder `Tests/Vectors/secitem`, read from the source tree this file is in.
struct VectorFolder: Sendable {
    let rows: [VectorRow]
    let later: [LaterRow]
    /// Those on access control, which are about what an enclave keeps.
    let accessControlRows: [VectorRow]

    /// What is there, or why it cannot be read.
    static let shared = Result { try VectorFolder() }

    /// The rows for parameterized tests; when the folder cannot be read, the catalogue's own test says why.
    static let sharedRows = chosen((try? shared.get().rows) ?? [])

    /// The rows that are run on every enclave.
    static let sharedAccessControlRows = chosen((try? shared.get().accessControlRows) ?? [])

    /// The one row that Scripts/row asks for; all of them without it.
    static let chosenRow = ProcessInfo.processInfo.environment["KEYCHAIN_ROW"]

    private static func chosen(_ rows: [VectorRow]) -> [VectorRow] {
        guard let chosenRow else { return rows }
        return rows.filter { $0.id == chosenRow }
    }

    private init() throws {
        let folder = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Vectors/secitem")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".json") }.sorted()
        var rows: [VectorRow] = []
        var later: [LaterRow] = []
        var accessControlRows: [VectorRow] = []
        for file in files {
            let json = try JSONDecoder().decode(
                JSONValue.self, from: Data(contentsOf: folder.appendingPathComponent(file)))
            let elements = try json.elements(at: file)
            if file == "later.json" {
                later += try elements.map { try LaterRow($0, at: file) }
            } else {
                let own = try elements.map { try VectorRow($0, at: file) }
                rows += own
                if file == "M-access-control.json" { accessControlRows = own }
            }
        }
        self.rows = rows
        self.accessControlRows = accessControlRows
        self.later = later
    }
}
