// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainConnection
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// What is noted beside the keychains after everything of another provider was imported, read again and compared.
struct ImportStamp {
    /// Of what program.
    let provider: String
    /// How many items it had.
    let items: Int
    /// In seconds since 1970.
    let time: UInt64

    init(provider: String, items: Int) {
        (self.provider, self.items) = (provider, items)
        time = UInt64(clamping: Glibc.time(nil))
    }

    func write() throws(CommandError) {
        let path = try ImportStamp.path()
        // Where the other program had nothing, there may be no keychain yet.
        try ToolKeychain.translating { () throws(KeychainError) in
            try KeychainFolder.makeFolders(try Place.root(named: .current()))
        }
        let bytes: [UInt8]
        do throws(CodingError) {
            bytes = try PropertyList.dictionary([
                "version": .number(1), "provider": .string(provider), "items": .number(Int64(items)),
                "time": .number(Int64(clamping: time)),
            ]).encoded()
        } catch { throw .failure("what was imported cannot be noted") }
        do throws(ReplacementFailure) { try FileReplacement.replace(path, with: bytes, as: .hidden) } catch {
            throw .failure(
                "\(PlainText.shown(path)) cannot be written: \(unsafe String(cString: strerror(error.code)))")
        }
    }

    /// What was noted last; nil where nothing was, or nothing that can be read.
    static var last: ImportStamp? {
        guard let path = try? path(), let bytes = try? OpenFile(path).bytes(limit: 1 << 16),
            case .dictionary(let fields)? = try? PropertyList(decoding: bytes), fields.count == 4,
            case .number(1)? = fields["version"], case .string(let provider)? = fields["provider"],
            case .number(let items)? = fields["items"], case .number(let time)? = fields["time"]
        else { return nil }
        return ImportStamp(provider, Int(clamping: items), UInt64(clamping: time))
    }

    private init(_ provider: String, _ items: Int, _ time: UInt64) {
        (self.provider, self.items, self.time) = (provider, items, time)
    }

    private static func path() throws(CommandError) -> String {
        try ToolKeychain.translating { () throws(KeychainError) in try Place.root(named: .current()) }
            + "/.secret-service-import"
    }
}
