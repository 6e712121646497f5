// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCoding
internal import KeychainSystem
internal import KeychainTools

/// What was changed to make the Secret Service ours, so that everything can be put back as it was.
///
/// It is written before the first change and removed after the last one is taken back: whatever ends the tool in between,
/// the next `enable` or `disable` completes it.
struct Takeover {
    struct Change: Equatable {
        let path: String
        let before: FileState
        let made: FileState
    }

    /// Where it is kept.
    let path: String
    /// Whether it is for all users.
    private let isOfSystem: Bool
    private(set) var changes: [Change] = []
    /// The folders that were made for them, in that order.
    private var folders: [String] = []

    /// What was noted at a path; nil where nothing is.
    init?(at path: String, isOfSystem: Bool) throws(CommandError) {
        guard case .file(let bytes, _) = try FileState(at: path) else { return nil }
        (self.path, self.isOfSystem) = (path, isOfSystem)
        let damaged = CommandError.failure(
            "\(PlainText.shown(path)) is damaged, so it is not known what was changed; see Docs/SecretService.md, Going back"
        )
        guard case .dictionary(let fields)? = try? PropertyList(decoding: bytes), fields.count == 3,
            case .number(1)? = fields["version"], case .array(let changes)? = fields["changes"],
            case .array(let folders)? = fields["folders"]
        else { throw damaged }
        for value in changes {
            guard case .dictionary(let fields) = value, fields.count == 3, case .string(let path)? = fields["path"],
                let before = FileState(fields["before"]), let made = FileState(fields["made"])
            else { throw damaged }
            self.changes.append(Change(path: path, before: before, made: made))
        }
        for value in folders {
            guard case .string(let folder) = value else { throw damaged }
            self.folders.append(folder)
        }
    }

    /// A new one, with nothing in it yet.
    init(keptAt path: String, isOfSystem: Bool) { (self.path, self.isOfSystem) = (path, isOfSystem) }

    // MARK: Doing it

    /// Makes each path what it is to be; those that are so already are not touched, and not noted.
    mutating func apply(_ wanted: [(path: String, state: FileState)]) throws(CommandError) {
        var steps: [Change] = []
        for (path, state) in wanted {
            let now = try FileState(at: path)
            let known = changes.first { $0.path == path }
            if known == nil, now == state { continue }
            // Somebody changed what was made here before: that is not to be lost.
            if let known, now != known.made, now != known.before { throw Takeover.changed(path) }
            steps.append(Change(path: path, before: known?.before ?? now, made: state))
        }
        for step in steps {
            changes.removeAll { $0.path == step.path }
            changes.append(step)
            for folder in Takeover.missingFolders(of: step.path) where !folders.contains(folder) {
                folders.append(folder)
            }
        }
        // Its own folder first: without that nothing can be noted.
        let own = Takeover.missingFolders(of: path)
        folders = own + folders.filter { !own.contains($0) }
        try make(own)
        try save()
        try make(folders)
        for step in steps { try step.made.put(at: step.path) }
    }

    private func make(_ folders: [String]) throws(CommandError) {
        let mode: mode_t = isOfSystem ? 0o755 : 0o700
        for folder in folders {
            // Again, for the mask that root has may keep all users out.
            let isMade = unsafe mkdir(folder, mode) == 0 && chmod(folder, mode) == 0
            guard isMade || errno == EEXIST else {
                throw OpenFile.failure("the folder \(PlainText.shown(folder)) cannot be made")
            }
        }
    }

    // MARK: Taking it back

    /// Puts everything back; where a file is neither as it was made nor as it was before, nothing is changed, unless those are
    /// to stay as they are.
    ///
    /// Returns the files that stay.
    func takeBack(leavingChanged: Bool) throws(CommandError) -> [String] {
        var steps: [Change] = []
        var left: [String] = []
        for change in changes.reversed() {
            let now = try FileState(at: change.path)
            if now == change.before { continue }
            if now == change.made { steps.append(change) } else { left.append(change.path) }
        }
        if let first = left.first, !leavingChanged { throw Takeover.changed(first) }
        for step in steps { try step.before.put(at: step.path) }
        guard unsafe unlink(path) == 0 else { throw OpenFile.failure("\(PlainText.shown(path)) cannot be removed") }
        // One that somebody else uses by now is not empty.
        for folder in folders.reversed() { _ = unsafe rmdir(folder) }
        return left
    }

    /// What is not as it was made.
    func changedSince() -> [String] {
        changes.filter { change in
            guard let now = try? FileState(at: change.path) else { return true }
            return now != change.made
        }.map(\.path)
    }

    private static func changed(_ path: String) -> CommandError {
        .failure(
            "\(PlainText.shown(path)) was changed by somebody else since; put it back or remove it, or have it stay with `llavero secret-service disable --leave-changed`"
        )
    }

    private static func missingFolders(of path: String) -> [String] {
        var missing: [String] = []
        var folder = parent(path)
        while folder != "/", unsafe access(folder, F_OK) != 0 {
            missing.insert(folder, at: 0)
            folder = parent(folder)
        }
        return missing
    }

    private static func parent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private func save() throws(CommandError) {
        let list = changes.map { change in
            PropertyList.dictionary([
                "path": .string(change.path), "before": change.before.encoded, "made": change.made.encoded,
            ])
        }
        let bytes: [UInt8]
        do throws(CodingError) {
            bytes = try PropertyList.dictionary([
                "version": .number(1), "changes": .array(list), "folders": .array(folders.map { .string($0) }),
            ]).encoded()
        } catch { throw .failure("what is to be changed cannot be noted") }
        try FileState.file(bytes, mode: 0o600).put(at: path)
    }
}
