// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The passcodes of these tests, which protect nothing.
enum Passcodes {
    static let first = "first passcode"
    static let second = "second passcode"
}

extension String {
    /// What a program gives to a context.
    var data: Data { Data(utf8) }
}
