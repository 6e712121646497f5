// SPDX-License-Identifier: Apache-2.0

/// Programs that do what their arguments or another file say, so that knowing them tells nothing about who asks.
///
/// A list can only name the usual ones. It keeps an administrator from the common mistake; one who copies an
/// interpreter under another name and lists that has decided otherwise.
package enum Interpreters {
    /// Whether the last component of `path` is a known name, with or without a version: `python3.11`, `perl5.36.0`.
    package static func contains(_ path: String) -> Bool {
        let name = lastName(path)
        if beginnings.contains(where: { name.hasPrefix($0) }) { return true }
        return names.contains(String(withoutVersion(name)))
    }

    /// The name of the interpreter at `path`, without its version.
    package static func name(of path: String) -> String { String(withoutVersion(lastName(path))) }

    private static func lastName(_ path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// The part before a digit, or before a dash and a digit.
    private static func withoutVersion(_ name: Substring) -> Substring {
        let isDigit = { (letter: Character) in letter.isASCII && letter.isNumber }
        guard let digit = name.firstIndex(where: isDigit) else { return name }
        let stem = name[..<digit]
        return stem.last == "-" || stem.last == "." ? stem.dropLast() : stem
    }

    // Emulators and loaders, whose names say what they load for.
    private static let beginnings = ["ld-linux", "ld-musl", "ld.so", "ld-", "qemu-", "beam", "wine", "box64", "box86"]

    private static let names: Set<String> = [
        "ash", "awk", "bash", "bun", "bunx", "busybox", "cmake", "csh", "dash", "deno", "dotnet", "elvish", "emacs",
        "env", "erl", "expect", "fish", "gawk", "gdb", "ghci", "gjs", "gjs-console", "groovy", "guile", "irb", "java",
        "jjs", "jshell", "jsc", "julia", "ksh", "ld", "lldb", "lua", "luajit", "mawk", "mksh", "mono", "mono-sgen",
        "nawk", "node", "nodejs", "nu", "nvim", "ocaml", "octave", "octave-cli", "original-awk", "osh", "perf", "perl",
        "php", "php-cgi", "php-fpm", "pwsh", "pypy", "python", "qjs", "racket", "raku", "rksh", "ruby", "runghc",
        "sbcl",
        "scala", "sed", "sh", "sqlite", "strace", "swift", "swift-frontend", "swipl", "tcc", "tclsh", "tcsh", "toybox",
        "valgrind", "vim", "vim.basic", "vim.tiny", "wish", "xonsh", "yash", "zsh", "zsh-static", "R", "Rscript",
    ]
}
