// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainTools

/// `security`, as on a Mac.
package enum SecurityTool {
    /// Does what the words say, and ends the program.
    package static func main(_ words: ArraySlice<String>) -> Never {
        Tool.say("nothing yet")
        exit(2)
    }
}
