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

/// Whether this process may do what only root may.
enum Root {
    static let isMine = geteuid() == 0
    /// Somebody who is not root.
    static let nobody: UInt32 = 65_534
    static let setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].first(where: FileManager.default.isExecutableFile)
    static let unshare = ["/usr/bin/unshare", "/bin/unshare"].first(where: FileManager.default.isExecutableFile)

    /// What to put before a program so that it runs as somebody else.
    static var asNobody: [String] {
        [setpriv ?? "", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", "--"]
    }
}
