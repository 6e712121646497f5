// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// What a developer may ask of a debug build with the environment; a release build has none of it.
///
/// The files that may ask which build this is are listed in `Scripts/source-rules.sh`: what they add shows how the library
/// works or lets a debugger in, and must not be in a program that is trusted with secrets.
package enum DebugBuild {
    #if DEBUG
        /// What to warn of where debuggers of the same user may attach to a program that otherwise keeps them out; nil where they may not.
        package static let debuggerWarning: String? =
            words("LLAVERO_DEBUGGER") == ["allowed"]
            ? "WARNING: LLAVERO_DEBUGGER=allowed: any program of this user can read the keys in this debug build's memory"
            : nil

        /// Whether a kind of line is wanted on standard error: `LLAVERO_TRACE=sql,wire`.
        package static func traces(_ kind: String) -> Bool { traced.contains(kind) }

        /// Writes a line of a trace in one piece.
        package static func trace(_ text: String) {
            let line = Array("trace[\(getpid())] \(text)\n".utf8)
            _ = unsafe write(STDERR_FILENO, line, line.count)
        }

        private static let traced = words("LLAVERO_TRACE")

        /// Empty also in a program that has more rights than its caller, as everywhere.
        private static func words(_ variable: String) -> [String] {
            guard !llv_is_secure_execution(), let value = unsafe getenv(variable) else { return [] }
            return unsafe String(cString: value).split(separator: ",").map(String.init)
        }
    #else
        package static var debuggerWarning: String? { nil }
    #endif
}
