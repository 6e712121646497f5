// SPDX-License-Identifier: Apache-2.0

/// Whether this process runs somebody's tests, which must not touch the user's real keychain.
package enum TestRunner {
    package static func isRunning(in environment: Environment) -> Bool {
        if environment["XCTestConfigurationFilePath"] != nil || environment["XCTestBundlePath"] != nil { return true }
        guard let executable = environment.executable else { return false }
        let name = executable.split(separator: "/").last.map(String.init) ?? ""
        return name == "xctest" || name == "swiftpm-testing-helper" || name == "swiftpm-xctest-helper"
            || name.hasSuffix(".xctest") || name.hasSuffix("PackageTests")
    }
}
