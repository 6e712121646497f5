// SPDX-License-Identifier: Apache-2.0

internal import Glibc

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
}
