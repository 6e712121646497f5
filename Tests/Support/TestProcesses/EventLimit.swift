// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// How long a test waits for an event before it reports that the event never came.
///
/// A test does not pass because time went by, and does not fail because a machine is busy: with thirty processes for two
/// processors what takes a second alone takes a minute. So the limit is far above both, and there is one for all tests.
package enum EventLimit {
    package static let seconds: Double = 900
    package static let milliseconds: Int32 = 900_000

    /// Returns when the condition holds, where nothing but looking tells; throws when it never does.
    package static func wait(for event: String, until holds: () throws -> Bool) throws {
        let end = Date(timeIntervalSinceNow: seconds)
        while try !holds() {
            guard Date() < end else { throw Trouble("this never happened: \(event)") }
            usleep(5000)
        }
    }
}

/// What every program that a test starts finds in its environment.
package enum TestEnvironment {
    /// Programs of tests do not go to a llaverod of the system that runs on the machine.
    package static let withoutSystemDaemon = ["LLAVERO_SYSTEM_SOCKET": "/nonexistent/llavero/socket"]
}
