// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestPrompts
import Testing

/// What `make try-sync` shows a newcomer is what happens.
@Suite struct TrySyncTests {
    @Test("three machines join, change, lock, lose one and recover by words, as the script says")
    func script() throws {
        let folder = try TestFolder()
        let programs = URL(fileURLWithPath: try SessionProcess.helper("llavero")).deletingLastPathComponent().path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["Scripts/try-sync.sh", programs]
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path, "TMPDIR": "/tmp"]
        let said = folder.file("said")
        _ = FileManager.default.createFile(atPath: said, contents: nil)
        let file = FileHandle(forWritingAtPath: said)
        (process.standardOutput, process.standardError) = (file, file)
        try process.run()
        process.waitUntilExit()
        let text = folder.text("said")
        #expect(process.terminationStatus == 0, "\(text)")
        // Each is shown only after it was waited for.
        for line in [
            "phone$ llavero get mail\ncorrect horse", "server$ llavero get mail\ncorrect horse",
            "laptop$ llavero get mail\nbattery staple", "phone$ llavero get web\nfrom the server",
            "server$ llavero get mail\nafter the loss", "phone$ llavero get mail\nbattery staple",
            "tablet$ llavero get mail\nafter the loss",
        ] { #expect(text.contains(line), "\(text)") }
    }
}
