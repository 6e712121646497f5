// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Programs, by their names.
enum ProgramSearch {
    /// Where it is in PATH; nil where it is not.
    static func path(of name: String) -> String? {
        guard let path = variable("PATH") else { return nil }
        for folder in path.split(separator: ":") where folder.hasPrefix("/") {
            let candidate = "\(folder)/\(name)"
            if unsafe access(candidate, X_OK) == 0 { return candidate }
        }
        return nil
    }

    /// nil of one that is empty, too.
    static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
        return unsafe String(cString: value)
    }
}
