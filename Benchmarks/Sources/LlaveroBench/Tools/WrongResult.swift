// SPDX-License-Identifier: Apache-2.0

/// Something measured did not do what it should have done, so its time means nothing.
struct WrongResult: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// Complains unless `condition` holds; the text is built only then.
    static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws(WrongResult) {
        if !condition { throw WrongResult(description()) }
    }
}
