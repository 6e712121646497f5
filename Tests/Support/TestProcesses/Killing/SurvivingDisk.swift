// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What a power cut leaves: of each file what it held when it was last synced, of each folder the names it had then.
///
/// Real disks keep more than that, never less.
package struct SurvivingDisk {
    /// Where the interposer collects it, by inode.
    package let path: String
    private let home: String

    /// Collects at `path` for `home`; what is in it already is taken for synced.
    package init(_ path: String, of home: String) throws {
        self.path = path
        self.home = home
        try keep(home)
    }

    /// Makes the home what it is after the power cut.
    package func replaceHome() throws { try replace(home) }

    /// Makes another folder what the home is after the power cut.
    package func replace(_ folder: String) throws {
        let files = FileManager.default
        let copy = folder + ".after"
        let inode = try inode(of: home)
        try files.createDirectory(atPath: copy, withIntermediateDirectories: false, attributes: mode(0o700))
        try fill(copy, inode: inode)
        try files.removeItem(atPath: folder)
        try files.moveItem(atPath: copy, toPath: folder)
    }

    /// Writes down a folder as the interposer does when it is synced.
    private func keep(_ folder: String) throws {
        var lines = ""
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let file = "\(folder)/\(name)"
            let inode = try inode(of: file)
            lines += "\(inode) \(name)\n"
            if try FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType == .typeDirectory {
                try keep(file)
            } else {
                try FileManager.default.copyItem(atPath: file, toPath: "\(path)/\(inode)")
            }
        }
        try Data(lines.utf8).write(to: URL(fileURLWithPath: "\(path)/names-\(try inode(of: folder))"))
    }

    private func fill(_ folder: String, inode: UInt64) throws {
        let list = (try? String(contentsOfFile: "\(path)/names-\(inode)", encoding: .utf8)) ?? ""
        for line in list.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, let child = UInt64(words[0]) else { continue }
            let name = String(words[1])
            let isFolder = FileManager.default.fileExists(atPath: "\(path)/names-\(child)") || name == "login"
            if isFolder || name.hasPrefix(".birth-") {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)", withIntermediateDirectories: false, attributes: mode(0o700))
                try fill("\(folder)/\(name)", inode: child)
            } else {
                let content = FileManager.default.contents(atPath: "\(path)/\(child)") ?? Data()
                try content.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                try FileManager.default.setAttributes(mode(0o600), ofItemAtPath: "\(folder)/\(name)")
            }
        }
    }

    private func mode(_ permissions: Int) -> [FileAttributeKey: Any] { [.posixPermissions: permissions] }

    private func inode(of path: String) throws -> UInt64 {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    }
}
