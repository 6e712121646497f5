// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrompts

/// A daemon that has an entitled program's item, and this process, which no file names.
final class FuzzScene {
    private let installed: InstalledFolder
    private let ready: ReadySocket
    private(set) var daemon: Process?
    let socket: String
    /// What is in the item and must never come here.
    let mark = "MARKED" + UUID().uuidString

    init() throws {
        installed = try InstalledFolder()
        ready = try ReadySocket(installed.file("ready"))
        socket = installed.file("socket")
        let daemon = Process()
        // The million is for a daemon as it is installed.
        let program = ProcessInfo.processInfo.environment["KEYCHAIN_LLAVEROD"]
        daemon.executableURL = URL(fileURLWithPath: try program ?? SessionProcess.helper("llaverod"))
        daemon.arguments = [
            "--home", installed.file("keychains"), "--socket", socket, "--entitlements", installed.entitlements,
        ]
        daemon.environment = ["LLAVERO_ENCLAVE": "software", "NOTIFY_SOCKET": ready.path]
        try daemon.run()
        self.daemon = daemon
        try ready.awaitReady()
    }

    deinit {
        daemon?.terminate()
        daemon?.waitUntilExit()
    }

    func file(_ name: String) -> String { installed.file(name) }

    /// The entitled program, which stays.
    func owner() throws -> AskingProgram {
        try installed.install("llavero-test-helper", as: "owner")
        try installed.entitle("owner", ["keychain-access-groups": InstalledFolder.texts("TEAM.owner")])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: installed.file("owner"))
        process.arguments = ["ask"]
        process.environment = ["LLAVERO_SOCKET": socket]
        return try AskingProgram(process)
    }

    /// Kilobytes of memory that the daemon has.
    func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(daemon?.processIdentifier ?? 0)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
