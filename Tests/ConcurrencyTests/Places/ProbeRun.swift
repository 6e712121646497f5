// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// One run of the helper that does what it is told and says what came of it.
struct ProbeRun {
    let folder: TestFolder
    var environment: [String: String]
    /// A program and arguments before the helper's own.
    var launcher: [String] = []
    var program: String?

    init(_ folder: TestFolder, _ environment: [String: String]) {
        self.folder = folder
        self.environment = environment
    }

    /// The lines printed; a run that did not end by itself says how it ended.
    func callAsFunction(_ verbs: String...) throws -> [String] {
        let (ending, lines) = try HelperProcess.run(
            ["probe"] + verbs, environment: environment, in: folder, launcher: launcher, program: program)
        return ending == .exited(0) ? lines : lines + ["the process \(ending)"]
    }
}
