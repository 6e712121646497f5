// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc

/// The folder of entitlement files, such as /etc/llavero/entitlements.d.
///
/// Whoever can write there decides who reads which secrets. So each component of the path and each file has to belong
/// to a trusted owner, be writable by nobody else, and be no symbolic link.
package struct EntitlementFolder: Sendable {
    package let path: String
    package let owners: TrustedOwners
    package let groups: GroupDirectory

    package init(path: String, owners: TrustedOwners = .root, groups: GroupDirectory = .system) {
        self.path = path
        self.owners = owners
        self.groups = groups
    }

    /// Reads every file whose name ends in ".plist"; one that cannot be read in full grants nothing and is reported.
    ///
    /// A folder that is not there lists nothing.
    package func load() -> EntitlementTable {
        let folder: TrustedPath
        let names: [String]
        do throws(FileFault) {
            folder = try TrustedPath(path, owners: owners)
            names = try EntitlementFolder.names(in: folder)
        } catch .missing {
            return .empty
        } catch {
            return EntitlementTable(rules: [], reports: [EntitlementReport(file: path, fault: .file(error))])
        }
        guard names.count <= EntitlementFolder.mostFiles else {
            return EntitlementTable(rules: [], reports: [EntitlementReport(file: path, fault: .tooManyFiles)])
        }
        var rules: [EntitlementRule] = []
        var reports: [EntitlementReport] = []
        for name in names {
            do throws(EntitlementFault) { rules.append(try rule(in: name, of: folder)) } catch {
                reports.append(EntitlementReport(file: name, fault: error))
            }
        }
        return EntitlementTable(rules: rules, reports: reports)
    }

    private func rule(in name: String, of folder: TrustedPath) throws(EntitlementFault) -> EntitlementRule {
        let bytes: [UInt8]
        do throws(FileFault) {
            let file = try TrustedPath(entry: name, in: folder, owners: owners)
            bytes = try FileReading.content(of: file.descriptor, file.facts, limit: EntitlementFolder.largestFile)
        } catch { throw .file(error) }
        return try EntitlementRule(parsing: bytes, file: name, groups: groups)
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
