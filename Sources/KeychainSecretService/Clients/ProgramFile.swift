// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

/// The list of programs as it lies beside the keychains.
///
/// A list that is damaged is left as it is. Nothing is known of any program then: a person is asked about each.
package final class ProgramFile: Sendable {
    private let file: OwnersFile

    package init(root: String) {
        // No keychain's name begins with a dot.
        file = OwnersFile(
            ".secret-service-programs", in: root, atMost: 8 << 20,
            .init(
                failed: "the list of programs cannot be read or written",
                exposed:
                    "other users can read or change the list of programs; make sure that it was not changed, then run chmod 600 FILE",
                damaged: "the list of programs is damaged and was left as it is; move it away to begin a new one"))
    }

    package var path: String { file.path }

    /// The list; an empty one where there is no file.
    package func list() throws(KeychainError) -> ProgramList { try read().list }

    /// Changes the list, unless `body` says that there is nothing to change.
    package func change(_ body: (inout ProgramList) -> Bool) throws(KeychainError) {
        try file.inTurn { () throws(KeychainError) in
            var list = try read().list
            guard body(&list) else { return }
            let bytes: [UInt8]
            do throws(CodingError) { bytes = try list.encoded() } catch { throw file.failed(0) }
            try file.replace(with: bytes)
        }
    }

    /// nil where there is no file.
    var version: OwnersFile.Version? { file.version }

    func read() throws(KeychainError) -> (list: ProgramList, version: OwnersFile.Version?) {
        guard let (bytes, version) = try file.content() else { return (ProgramList(), nil) }
        do throws(CodingError) { return (try ProgramList(decoding: bytes), version) } catch { throw file.damaged }
    }
}
