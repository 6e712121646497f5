// SPDX-License-Identifier: Apache-2.0

import Security

/// The passcodes of these tests, which protect nothing.
enum Passcodes {
    static func first() throws -> Llavero.Passcode { try Llavero.Passcode("first passcode") }
    static func second() throws -> Llavero.Passcode { try Llavero.Passcode("second passcode") }
    static func wrong() throws -> Llavero.Passcode { try Llavero.Passcode("neither of the two") }
}
