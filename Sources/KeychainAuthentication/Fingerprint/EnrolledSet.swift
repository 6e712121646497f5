// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel

/// What is enrolled, as bytes that are the same as long as it is the same.
struct EnrolledSet {
    let reader: String
    /// The names of fingers, in any order.
    let fingers: [String]
    /// The files of prints, in any order; nil when this process cannot read them.
    let files: [PrintFile]?

    struct PrintFile {
        /// Below the user's folder.
        let path: String
        let size: Int64
        let seconds: Int64
        let nanoseconds: Int64
        let inode: UInt64
    }

    /// Each part is preceded by its size, so that no two sets have the same bytes.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func add(_ text: String) { bytes += EnrolledSet.bytes(UInt64(text.utf8.count)) + Array(text.utf8) }
        func add(_ number: Int) { bytes += EnrolledSet.bytes(UInt64(number)) }
        add("llavero enrolled fingers 1")
        add(reader)
        add(fingers.count)
        for finger in fingers.sorted() { add(finger) }
        // Whether they could be read is a part of it: a set of names says less than one of files.
        guard let files else { return bytes + [0] }
        bytes.append(1)
        add(files.count)
        for file in files.sorted(by: { $0.path < $1.path }) {
            add(file.path)
            for number in [file.size, file.seconds, file.nanoseconds] {
                bytes += EnrolledSet.bytes(UInt64(bitPattern: number))
            }
            bytes += EnrolledSet.bytes(file.inode)
        }
        return bytes
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }

    /// The prints that fprintd keeps of a user, in a folder for each driver, and in it one for each reader.
    ///
    /// Which file it is and when it was written, not what is in it: enrolling writes a new one. Nil when they cannot be
    /// read, or there are more than ten.
    static func files(of user: String, in folder: String) -> [PrintFile]? {
        guard let name = user.isEmpty ? ownName() : user, !name.unicodeScalars.contains("/"), !name.begins(with: ".")
        else { return nil }
        let root = folder + "/" + name
        var files: [PrintFile] = []
        guard let drivers = names(in: root) else { return nil }
        for driver in drivers {
            guard let readers = names(in: "\(root)/\(driver)") else { return nil }
            for reader in readers {
                guard let fingers = names(in: "\(root)/\(driver)/\(reader)") else { return nil }
                for finger in fingers {
                    let path = "\(driver)/\(reader)/\(finger)"
                    guard let file = file(path, in: root), files.count < 200 else { return nil }
                    files.append(file)
                }
            }
        }
        return files
    }

    private static func file(_ path: String, in root: String) -> PrintFile? {
        var status = stat()
        guard unsafe lstat(root + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return PrintFile(
            path: path, size: Int64(status.st_size), seconds: Int64(status.st_mtim.tv_sec),
            nanoseconds: Int64(status.st_mtim.tv_nsec), inode: UInt64(status.st_ino))
    }

    /// The names in a folder; nil when it does not exist, or cannot be read.
    private static func names(in path: String) -> [String]? {
        guard let folder = unsafe opendir(path) else { return nil }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            guard names.count < 200 else { return nil }
            names.append(name)
        }
        return names
    }

    /// Who we are for the bus, which goes by the effective user.
    private static func ownName() -> String? {
        var (entry, found) = unsafe (passwd(), UnsafeMutablePointer<passwd>?.none)
        var texts = [CChar](repeating: 0, count: 16_384)
        return unsafe texts.withUnsafeMutableBufferPointer { texts in
            guard let start = texts.baseAddress,
                unsafe getpwuid_r(geteuid(), &entry, start, texts.count, &found) == 0,
                unsafe found != nil, let name = unsafe entry.pw_name
            else { return nil }
            return unsafe String(cString: name)
        }
    }
}
