// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Which program shows the dialog.
enum PinentryProgram {
    /// The path of the one that $PINENTRY names, else of `pinentry` in $PATH; nil when there is none.
    ///
    /// A $PINENTRY that is not the path of a program is an error: whoever has set it wants that one.
    static func find(_ environment: PromptEnvironment) throws(PromptError) -> String? {
        if !environment.isPrivileged, let chosen = environment["PINENTRY"] {
            guard isUsable(chosen) else { throw .notAvailable(strange) }
            return chosen
        }
        for folder in environment.searchPath.split(separator: ":", omittingEmptySubsequences: true) {
            let path = folder + "/pinentry"
            if isUsable(String(path)) { return String(path) }
        }
        return nil
    }

    /// Whether it is an absolute path, of a file, that we may execute and not everybody may write.
    private static func isUsable(_ path: String) -> Bool {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count < Int(PATH_MAX),
            path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return false }
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IWOTH == 0
        else { return false }
        return unsafe access(path, X_OK) == 0
    }

    private static let strange: StaticString =
        "PINENTRY must be the absolute path of a program that only its owner can change; correct it, or unset it"
}
