// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection

/// What the command line says.
struct Options {
    /// Where to listen; nil for a socket that was handed over, or the user's own.
    private(set) var socket: String?
    /// The folder of keychains; nil for the user's own.
    private(set) var root: String?
    private(set) var entitlements = "/etc/llavero/entitlements.d"
    /// Whether nothing is done that cannot be recorded.
    private(set) var requiresAudit = false
    private(set) var givesBack = false
    private(set) var wantsHelp = false

    init(_ arguments: ArraySlice<String>) throws(OptionError) {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--give-back": givesBack = true
            case "--require-audit": requiresAudit = true
            case "--socket": socket = try Options.path(&rest, argument)
            case "--home": root = try Options.path(&rest, argument)
            case "--entitlements":
                let path = try Options.path(&rest, argument)
                entitlements = path
            default: throw OptionError(description: "there is no option \(argument); --help lists them")
            }
        }
    }

    private static func path(_ rest: inout ArraySlice<String>, _ option: String) throws(OptionError) -> String {
        guard let value = rest.popFirst(), value.hasPrefix("/") else {
            throw OptionError(description: "\(option) wants an absolute path")
        }
        return value
    }

    static let help = """
        usage: llaverod [--socket PATH] [--home FOLDER] [--entitlements FOLDER] [--require-audit]
               llaverod --give-back [--home FOLDER]

        Serves your keychain over a socket: programs then ask the daemon, and have neither its keys nor its files.

          --socket PATH          where to listen, if systemd hands over no socket ($XDG_RUNTIME_DIR/llavero/socket)
          --home FOLDER          where the keychains are ($LLAVERO_HOME, else ~/.local/share/llavero)
          --entitlements FOLDER  who is in which access groups (/etc/llavero/entitlements.d)
          --require-audit        does nothing with secrets that it cannot record in its audit log
          --give-back            lets programs open the keychain themselves again
        """
}

struct OptionError: Error {
    let description: String
}
