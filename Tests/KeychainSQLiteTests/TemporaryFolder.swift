// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A folder that goes away, with all files in it, at the end of a test.
final class TemporaryFolder {
    let path: String

    init() {
        var template = Array("/tmp/llavero-sqlite-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? "/nonexistent"
        }
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}
