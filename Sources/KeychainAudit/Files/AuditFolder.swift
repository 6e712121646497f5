// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc

/// The folder of one log.
struct AuditFolder: Sendable {
    let path: String

    var head: String { path + "/head" }

    func file(_ number: UInt32) -> String {
        let digits = String(number)
        return path + "/audit-" + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits + ".log"
    }

    /// Makes the folder if it is missing, and refuses one that is not ours alone.
    func prepare() throws(AuditError) {
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .system(errno) }
        try refuseUnsafe()
    }

    func refuseUnsafe() throws(AuditError) {
        var status = llv_file_status()
        let failure = unsafe llv_read_file_status(path, &status)
        guard failure == 0 else { throw .system(failure) }
        guard status.is_folder, status.owner == geteuid(), status.permissions & 0o022 == 0 else { throw .unsafeFolder }
    }

    /// The numbers of the files that are there, in order.
    func files() throws(AuditError) -> [UInt32] { try names().compactMap(AuditFolder.number).sorted() }

    /// Removes files that somebody began and did not finish; none of them was ever part of the log.
    func removeUnfinished() throws(AuditError) {
        for name in try names() where name.hasSuffix(AuditFolder.unfinished) { unsafe unlink(path + "/" + name) }
    }

    func sync() throws(AuditError) {
        let failure = unsafe llv_sync_path(path)
        guard failure == 0 else { throw .system(failure) }
    }

    private func names() throws(AuditError) -> [String] {
        guard let directory = unsafe opendir(path) else { throw .system(errno) }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                    unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                })
        }
        return names
    }

    /// What a name of exactly our form says.
    private static func number(_ name: String) -> UInt32? {
        let bytes = Array(name.utf8)
        guard bytes.count == 16, bytes.starts(with: "audit-".utf8), bytes[12...].elementsEqual(".log".utf8) else {
            return nil
        }
        var number: UInt32 = 0
        for byte in bytes[6..<12] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + UInt32(byte - UInt8(ascii: "0"))
        }
        return number == 0 ? nil : number
    }

    static let unfinished = ".new"
    /// As many as six digits name.
    static let lastFile: UInt32 = 999_999
}
