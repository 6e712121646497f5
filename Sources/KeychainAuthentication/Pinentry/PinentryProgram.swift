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

    /// Whether it is an absolute path, of a file that we may execute, and that nobody but us and root can put another
    /// in the place of.
    private static func isUsable(_ path: String) -> Bool {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count < Int(PATH_MAX),
            path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return false }
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        guard isOurs(path, S_IFREG), isOurs("/" + folder, S_IFDIR) else { return false }
        return unsafe access(path, X_OK) == 0
    }

    private static func isOurs(_ path: String, _ kind: mode_t) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == kind && status.st_mode & (S_IWOTH | S_IWGRP) == 0
            && (status.st_uid == 0 || status.st_uid == geteuid())
    }

    private static let strange: StaticString =
        "PINENTRY must be the absolute path of a program that only you or root can change; correct it, or unset it"
}
