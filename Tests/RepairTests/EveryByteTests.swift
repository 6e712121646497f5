// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A share of `make damage`, which damages every byte of a keychain's files.
@Suite struct EveryByteTests {
    @Test(
        "whatever byte is damaged, no value is wrong, nothing that is there is missing, and nothing is added beside it")
    func share() throws {
        let tests = URL(
            fileURLWithPath: try #require(Bundle.allBundles.first?.executablePath ?? CommandLine.arguments.first))
        let process = Process()
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("llavero-damage")
        process.arguments = ["--every", "1259", "--jobs", "2"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(said)")
        #expect(said.contains(" 0 violations"))
    }
}
