// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a power cut leaves: of each file what it held when it was last synced, of each folder the names it had then.
///
/// Real disks keep more than that, never less.
struct SurvivingDisk {
    /// Where the interposer collects it, by inode.
    let path: String

    init(_ path: String) { self.path = path }

    /// Makes `home` what it is after the power cut.
    func replace(_ home: String) throws {
        let files = FileManager.default
        let copy = home + ".after"
        let inode = try inode(of: home)
        try files.createDirectory(atPath: copy, withIntermediateDirectories: false, attributes: mode(0o700))
        try fill(copy, inode: inode)
        try files.removeItem(atPath: home)
        try files.moveItem(atPath: copy, toPath: home)
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
