// SPDX-License-Identifier: Apache-2.0

/// What there is to ask a person with: the caller reads it, as the environment of the process or something else.
package struct PromptEnvironment: Sendable {
    private let variables: [String: String]
    /// Whether the program has more rights than who started it, who then chooses no program for it.
    package let isPrivileged: Bool
    /// The terminal of the process.
    package let terminal: String

    /// `variables` may be the whole environment.
    package init(variables: [String: String], isPrivileged: Bool, terminal: String = "/dev/tty") {
        self.variables = variables
        self.isPrivileged = isPrivileged
        self.terminal = terminal
    }

    /// The same with other variables in the place of those that have one of `names`, at another terminal, or at none.
    package func with(
        _ others: [(String, String)], named names: [String], terminal: String?
    ) -> PromptEnvironment {
        var variables = variables
        for name in names { variables[name] = nil }
        for (name, value) in others { variables[name] = value }
        return PromptEnvironment(variables: variables, isPrivileged: isPrivileged, terminal: terminal ?? "")
    }

    /// A variable that is set to something.
    subscript(name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    var hasDisplay: Bool { self["DISPLAY"] != nil || self["WAYLAND_DISPLAY"] != nil }

    /// What a program that shows a dialog gets to know.
    ///
    /// The rest stays here: other secrets are often kept in the environment, and what makes the loader read other
    /// libraries (LD_PRELOAD) has no place in a program that sees a passcode.
    var forDialogs: [String] {
        var passed: [String] = []
        for name in PromptEnvironment.names {
            if name == "PATH" {
                passed.append("PATH=" + searchPath)
            } else if let value = self[name] {
                passed.append(name + "=" + value)
            }
        }
        return passed
    }

    /// Where programs are looked for.
    var searchPath: String {
        let usual = "/usr/local/bin:/usr/bin:/bin"
        return isPrivileged ? usual : self["PATH"] ?? usual
    }

    package static let names = [
        "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TERM",
        "TERMINFO", "TERMINFO_DIRS", "NO_COLOR", "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR",
        "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "XDG_DATA_DIRS", "DBUS_SESSION_BUS_ADDRESS", "XMODIFIERS",
        "GTK_IM_MODULE", "GTK_THEME", "QT_IM_MODULE", "QT_QPA_PLATFORM", "QT_QPA_PLATFORMTHEME", "KDE_FULL_SESSION",
        "PINENTRY_USER_DATA", "INSIDE_EMACS", "TMUX",
    ]
}
