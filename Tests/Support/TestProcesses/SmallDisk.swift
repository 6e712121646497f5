// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A disk of a few megabytes with a keychain's folder on it, which a test fills; programs on it run in a mount namespace of
/// their own, that goes with the process which keeps it.
package final class SmallDisk {
    package let folder: TestFolder
    /// Whether it is a file system on a disk image; else it is one in memory.
    package let isOnDisk: Bool
    private let keeper: Process
    private let line = Pipe()
    /// What to put before a program so that it sees the disk.
    package let launcher: [String]

    /// Where it is mounted for those who run on it.
    package var mounted: String { folder.file("disk") }

    /// Says why, and is nil, where this machine lets nobody mount anything.
    package init?() throws {
        folder = try TestFolder()
        _ = try folder.makeFolder("disk")
        let image = folder.file("image")
        let onDisk =
            "truncate -s 64M \(image) && mkfs.ext4 -q -m 0 \(image) && mount -o loop \(image) \(folder.path)/disk"
        let inMemory = "mount -t tmpfs -o size=4m,mode=700 small \(folder.path)/disk"
        var attempts: [(flags: [String], script: String, isOnDisk: Bool)] = [(["-r", "-m"], inMemory, false)]
        if Root.isMine { attempts = [(["-m"], onDisk, true), (["-m"], inMemory, false)] }
        for attempt in attempts {
            guard let unshare = Root.unshare,
                let (process, output) = try SmallDisk.started(
                    unshare, attempt.flags + ["--", "/bin/sh", "-c", "\(attempt.script) && echo mounted && cat"], line)
            else { continue }
            guard SmallDisk.firstLine(output) == "mounted" else {
                process.terminate()
                process.waitUntilExit()
                continue
            }
            keeper = process
            isOnDisk = attempt.isOnDisk
            launcher =
                ["/usr/bin/nsenter", "-t", "\(process.processIdentifier)", "-m"]
                + (attempt.flags.contains("-r") ? ["-U", "--preserve-credentials"] : []) + ["--"]
            return
        }
        print("skipped: this machine lets nobody mount a small disk")
        return nil
    }

    deinit {
        try? line.fileHandleForWriting.close()
        keeper.waitUntilExit()
    }

    /// Runs a command of the shell on the disk, with the keychain's folder there; what it printed, line by line, and then
    /// how it ended where that was not well.
    package func callAsFunction(_ command: String) throws -> [String] {
        let tools = URL(fileURLWithPath: try HelperProcess.path()).deletingLastPathComponent().path
        let environment = [
            "LLAVERO_HOME": "\(mounted)/keychains", "PATH": "\(tools):/usr/sbin:/usr/bin:/sbin:/bin", "DISK": mounted,
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
        ]
        let (ending, lines) = try HelperProcess.run(
            ["-c", command], environment: environment, in: folder, launcher: launcher, program: "/bin/sh")
        return ending == .exited(0) ? lines : lines + ["\(ending)"]
    }

    package func probe(_ verbs: String...) throws -> [String] {
        try self("llavero-test-helper probe " + verbs.joined(separator: " "))
    }

    /// Fills it to the last block.
    package func fill() throws { _ = try self(SmallDisk.filling) }

    package func empty() throws { _ = try self(SmallDisk.emptying) }

    /// The command that fills the disk at `$DISK`, and the one that takes that back.
    package static let filling = """
        for size in 1048576 4096 1024; do dd if=/dev/zero of=$DISK/fill-$size bs=$size status=none; sync $DISK; done
        for number in 1 2 3; do dd if=/dev/zero of=$DISK/more-$number bs=1024 status=none; sync $DISK; done
        true
        """
    package static let emptying = "rm -f $DISK/fill-* $DISK/more-*"

    private static func started(
        _ program: String, _ arguments: [String], _ line: Pipe
    ) throws -> (Process, FileHandle)? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
        process.standardInput = line
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return nil }
        return (process, output.fileHandleForReading)
    }

    private static func firstLine(_ file: FileHandle) -> String {
        var text = ""
        while !text.hasSuffix("\n"), let byte = try? file.read(upToCount: 1), !byte.isEmpty {
            text += String(decoding: byte, as: UTF8.self)
        }
        return text.trimmingCharacters(in: .newlines)
    }
}
