// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// The property lists in a folder that only trusted owners can change, down to each file.
struct GuardedFolder {
    let path: String
    let owners: TrustedOwners

    /// Reads every file whose name ends in ".plist", and reports what is not as it has to be.
    ///
    /// A folder that is not there has none.
    func each<Content>(
        _ parse: (_ bytes: [UInt8], _ name: String) throws(EntitlementFault) -> Content
    ) -> (contents: [Content], reports: [EntitlementReport]) {
        let folder: TrustedPath
        let names: [String]
        do throws(FileFault) {
            folder = try TrustedPath(path, owners: owners)
            names = try GuardedFolder.names(in: folder)
        } catch .missing {
            return ([], [])
        } catch {
            return ([], [EntitlementReport(file: path, fault: .file(error))])
        }
        guard names.count <= GuardedFolder.mostFiles else {
            return ([], [EntitlementReport(file: path, fault: .tooManyFiles)])
        }
        var contents: [Content] = []
        var reports: [EntitlementReport] = []
        for name in names {
            do throws(EntitlementFault) { contents.append(try parse(bytes(of: name, in: folder), name)) } catch {
                reports.append(EntitlementReport(file: name, fault: error))
            }
        }
        return (contents, reports)
    }

    private func bytes(of name: String, in folder: TrustedPath) throws(EntitlementFault) -> [UInt8] {
        do throws(FileFault) {
            let file = try TrustedPath(entry: name, in: folder, owners: owners)
            return try FileReading.content(of: file.descriptor, file.facts, limit: GuardedFolder.largestFile)
        } catch { throw .file(error) }
    }

    private static func names(in folder: TrustedPath) throws(FileFault) -> [String] {
        guard folder.facts.kind == .folder else { throw .wrongKind }
        let file = llv_peer_reopen(folder.descriptor.number, true)
        guard file >= 0 else { throw .system(-file) }
        guard let stream = unsafe fdopendir(file) else {
            let failure = errno
            close(file)
            throw .system(failure)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { break }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".plist"), !name.hasPrefix(".") { names.append(name) }
        }
        guard errno == 0 else { throw .system(errno) }
        return names.sorted()
    }

    private static let mostFiles = 1024
    private static let largestFile = 64 << 10
}
