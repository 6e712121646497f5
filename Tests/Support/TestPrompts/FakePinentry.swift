// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses

/// A pinentry of a test's own: a shell script.
package enum FakePinentry {
    /// One that does what the script says; returns its path.
    package static func make(_ script: String, in folder: String, name: String = "pinentry") throws -> String {
        let path = folder + "/" + name
        try ProgramFile.write("#!/bin/sh\n\(script)\n", to: path)
        return path
    }

    /// One that keeps to the protocol until the answer is wanted, and then does what the script says.
    package static func asking(_ script: String, in folder: String, before: String = "") throws -> String {
        try make(
            """
            \(before)
            echo OK ready
            while read -r command rest; do
                echo "$command $rest" >>'\(folder)/heard'
                case $command in
                GETPIN) \(script) ;;
                BYE) echo OK; exit 0 ;;
                *) echo OK ;;
                esac
            done
            """, in: folder)
    }

    /// The commands it was given.
    package static func heard(in folder: String) -> [String] {
        let text = (try? String(contentsOfFile: folder + "/heard", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// A real pinentry whose process number is kept in the file `pid`.
    package static func real(_ program: String, in folder: String) throws -> String {
        try make("echo $$ >'\(folder)/pid'; exec \(program)", in: folder)
    }

    /// The number of the process that one of them wrote down; waits for it.
    package static func pid(in folder: String) throws -> Int32 {
        var pid: Int32?
        try EventLimit.wait(for: "a pinentry has started") {
            let text = (try? String(contentsOfFile: folder + "/pid", encoding: .utf8)) ?? ""
            pid = text.hasSuffix("\n") ? Int32(text.dropLast()) : nil
            return pid != nil
        }
        return pid ?? 0
    }
}
