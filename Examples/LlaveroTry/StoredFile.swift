// SPDX-License-Identifier: Apache-2.0

import Security

/// A file of the keychain as it lies on the disk.
struct StoredFile {
    let name: String
    let mode: String
    let bytes: Data

    /// All files in the folder and the folders in it, by name.
    static func all(in folder: URL) throws -> [StoredFile] {
        let manager = FileManager.default
        var files: [StoredFile] = []
        for name in try manager.subpathsOfDirectory(atPath: folder.path).sorted() {
            let path = folder.appendingPathComponent(name).path
            let attributes = try manager.attributesOfItem(atPath: path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
            files.append(
                StoredFile(name: name, mode: "0" + String(mode, radix: 8), bytes: try contents(ofFile: path)))
        }
        return files
    }

    func contains(_ text: String) -> Bool { bytes.range(of: Data(text.utf8)) != nil }

    /// The bytes from just before a text's last occurrence on, in hexadecimal and as text; nil when it is not there.
    func glimpse(of text: String) -> [String]? {
        guard let place = bytes.range(of: Data(text.utf8), options: .backwards) else { return nil }
        let part = [UInt8](bytes[max(place.lowerBound - 16, 0)...].prefix(64))
        return stride(from: 0, to: part.count, by: 16).map { start in
            let line = part[start..<min(start + 16, part.count)]
            let numbers = line.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
            let letters = line.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "." }
            return numbers.joined(separator: " ") + "  " + letters.joined()
        }
    }

    /// Reads a file in another process.
    ///
    /// This process has the keychain open. Opening the same file once more and closing it would drop all the POSIX
    /// locks that SQLite holds on it here, whichever descriptor is closed: https://www.sqlite.org/howtocorrupt.html
    private static func contents(ofFile path: String) throws -> Data {
        let reader = Process()
        let output = Pipe()
        reader.executableURL = URL(fileURLWithPath: "/bin/cat")
        reader.arguments = ["--", path]
        reader.standardOutput = output
        try reader.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        reader.waitUntilExit()
        guard reader.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
        return bytes
    }
}
