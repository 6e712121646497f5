// SPDX-License-Identifier: Apache-2.0

package import KeychainBus
internal import KeychainSystem

/// The connection that has a name on a bus now, and the program behind it.
package struct NameOwner: Sendable {
    /// Its own name on the bus, which no later connection gets.
    package let connection: String
    /// nil where the bus does not tell.
    package let process: UInt32?
    package let program: BusProgram

    package init(connection: String, process: UInt32?, program: BusProgram) {
        (self.connection, self.process, self.program) = (connection, process, program)
    }

    /// Whether it is a daemon of ours.
    package var isOurs: Bool { program.hasFile(called: "llaverod") }
    package var isGnomeKeyring: Bool { program.hasFile(called: "gnome-keyring-daemon") }
    package var isKeePassXC: Bool { program.hasFile(called: "keepassxc") }
    package var isKWallet: Bool {
        ["ksecretd", "kwalletd6", "kwalletd5"].contains { program.hasFile(called: $0) }
    }

    /// The owner of `name`; nil where nobody has it.
    package static func find(_ name: String, on bus: Bus) throws(BusFailure) -> NameOwner? {
        let deadline = try BusFailure.translating { () throws(WaitFailure) in
            try Deadline(seconds: seconds, Cancellation())
        }
        let connection: String
        do throws(BusFailure) {
            connection = try bus.call(.ofBus("GetNameOwner"), [.text(name)], deadline).text()
        } catch {
            guard case .refused(.noOwner) = error else { throw error }
            return nil
        }
        let process: UInt32?
        do throws(BusFailure) {
            process = try bus.call(.ofBus("GetConnectionUnixProcessID"), [.text(connection)], deadline).number()
        } catch {
            guard case .refused = error else { throw error }
            process = nil
        }
        let program = process.flatMap { Int32(exactly: $0) }.map(program) ?? .unknown
        return NameOwner(connection: connection, process: process, program: program)
    }

    /// The program of a provider.
    ///
    /// Providers hide their memory from other processes of the user, and with it what they execute: llaverod and KeePassXC do,
    /// and so does a gnome-keyring whose file has a capability. What their command line says is good enough for words and advice.
    private static func program(_ process: Int32) -> BusProgram {
        guard let known = BusProcess(process)?.program, known != .unknown else {
            return BusProcess.claim(of: process) ?? .unknown
        }
        return known
    }

    private static let seconds: UInt32 = 20
}

extension BusProgram {
    /// Whether it executes a file of that name, wherever that is.
    fileprivate func hasFile(called file: String) -> Bool {
        kind == .program && name.split(separator: "/").last.map(String.init) == file
    }
}
