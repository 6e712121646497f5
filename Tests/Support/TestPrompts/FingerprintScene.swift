// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses

/// A message bus of a test's own, with the real fprintd on it and a reader that exists in software only.
///
/// fprintd asks polkit whether its caller may; dbusmock's answers yes here.
package final class FingerprintScene: Sendable {
    package let folder: String
    package var address: String { "unix:path=\(folder)/bus" }
    /// Where fprintd keeps the prints.
    package var prints: String { folder + "/prints" }

    private let bus: Guardian
    private let polkit: Guardian

    /// Programs that are not installed.
    private static var missing: [String] {
        ["/usr/bin/dbus-daemon", "/usr/bin/dbus-send", "/usr/bin/python3", fprintd, "/usr/bin/fprintd-enroll"]
            .filter { !FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// With `user`, fprintd is run by that one; without `reader` it has none; `isAllowed` is what polkit says.
    package init(
        user: UInt32? = nil, reader: Bool = true, isInstalled: Bool = true, isAllowed: Bool = true
    ) throws {
        let missing = FingerprintScene.missing
        guard missing.isEmpty else { throw Trouble("\(missing) missing; Scripts/install-packages.sh installs them") }
        var template = Array("/tmp/llavero-prints-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Trouble("no folder: \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        chmod(folder, 0o755)
        for (name, mode) in [("prints", 0o777), ("services", 0o755)] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
            chmod("\(folder)/\(name)", mode_t(mode))
        }
        let runner = user.map { "/usr/bin/setpriv --reuid \($0) --clear-groups " } ?? ""
        if isInstalled {
            try "[D-BUS Service]\nName=net.reactivated.Fprint\nExec=\(runner)\(FingerprintScene.fprintd) -t\n"
                .write(toFile: folder + "/services/fprint.service", atomically: true, encoding: .utf8)
        }
        try FingerprintScene.configuration(folder).write(
            toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        let environment = [
            "PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder)/bus",
            "FP_DRIVERS_ALLOWLIST": reader ? "virtual_device" : "none", "FP_VIRTUAL_DEVICE": folder + "/reader",
            "STATE_DIRECTORY": folder + "/prints",
        ]
        bus = try Guardian(
            ["/usr/bin/dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile"],
            environment: environment, output: folder + "/bus.log")
        let socket = folder + "/bus"
        try FingerprintScene.repeating { FileManager.default.fileExists(atPath: socket) }
        polkit = try Guardian(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "polkitd"],
            environment: environment, output: folder + "/polkit.log")
        let here = self
        try FingerprintScene.repeating { (try? here.allow(isAllowed)) != nil }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func allow(_ answer: Bool) throws {
        try send(
            "org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
            "org.freedesktop.DBus.Mock.AllowUnknown", "boolean:\(answer)")
    }

    /// Calls a method with dbus-send, and returns what that prints.
    @discardableResult
    package func send(_ words: String...) throws -> String {
        try run(
            ["/usr/bin/dbus-send", "--bus=\(address)", "--print-reply=literal", "--dest=\(words[0])"]
                + words.dropFirst())
    }

    /// Runs a program that speaks to this bus, to its end, which comes in time.
    @discardableResult
    func run(_ words: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["-s", "KILL", "900"] + words
        process.environment = ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Trouble("\(words): \(output)") }
        return output
    }

    /// Tries until it is true.
    static func repeating(_ condition: () throws -> Bool) throws {
        try EventLimit.wait(for: "the bus is ready", until: condition)
    }

    private static func configuration(_ folder: String) -> String {
        """
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(folder)/bus</listen>
          <auth>EXTERNAL</auth>
          <servicedir>\(folder)/services</servicedir>
          <policy context="default">
            <allow user="*"/><allow own="*"/>
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
          </policy>
        </busconfig>
        """
    }

    private static let fprintd = "/usr/libexec/fprintd"
}
