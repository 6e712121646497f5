// SPDX-License-Identifier: Apache-2.0

package import KeychainCoding
internal import KeychainModel

/// The programs that have used the Secret Service, and what was decided about each.
package struct ProgramList: Sendable, Equatable {
    package enum Decision: String, Sendable, CaseIterable {
        case allow
        /// A person is asked when the program wants to unlock something.
        case ask
        case refuse
    }

    package struct Entry: Sendable, Equatable {
        package let program: BusProgram
        /// nil for what holds for all programs about which nothing was decided.
        package var decision: Decision?
        /// In seconds since 1970; the day is told, and not each call.
        package let firstSeen: UInt64
        package var lastSeen: UInt64
    }

    /// What holds for programs about which nothing was decided.
    package var others = Decision.allow
    /// In the order in which they came first.
    package private(set) var entries: [Entry] = []

    package init() {}

    package subscript(program: BusProgram) -> Entry? { entries.first { $0.program == program } }

    package func decision(on program: BusProgram) -> Decision { self[program]?.decision ?? others }

    /// Notes that a program is there; false where nothing changed by that.
    package mutating func note(_ program: BusProgram, at now: UInt64) -> Bool {
        if let index = entries.firstIndex(where: { $0.program == program }) {
            guard now >= entries[index].lastSeen + ProgramList.day else { return false }
            entries[index].lastSeen = now
            return true
        }
        makeRoom()
        guard entries.count < ProgramList.most else { return false }
        entries.append(Entry(program: program, decision: nil, firstSeen: now, lastSeen: now))
        return true
    }

    /// Decides about a program, whether it came yet or not; nil takes a decision back.
    package mutating func decide(_ decision: Decision?, on program: BusProgram, at now: UInt64) -> Bool {
        _ = note(program, at: now)
        guard let index = entries.firstIndex(where: { $0.program == program }) else { return false }
        entries[index].decision = decision
        return true
    }

    /// Forgets a program; false where it was not known.
    package mutating func forget(_ program: BusProgram) -> Bool {
        let count = entries.count
        entries.removeAll { $0.program == program }
        return entries.count < count
    }

    /// Whoever starts many programs pushes out only those about which nothing was decided, the longest unseen first.
    private mutating func makeRoom() {
        guard entries.count >= ProgramList.most,
            let oldest = entries.indices.filter({ entries[$0].decision == nil })
                .min(by: { entries[$0].lastSeen < entries[$1].lastSeen })
        else { return }
        entries.remove(at: oldest)
    }

    private static let most = 1000
    private static let day: UInt64 = 86_400
}

// MARK: - The file

extension ProgramList {
    package func encoded() throws(CodingError) -> [UInt8] {
        let list = entries.map { entry in
            PropertyList.dictionary([
                "program": .string(entry.program.key), "decision": .string(entry.decision?.rawValue ?? ""),
                "first": .number(Int64(clamping: entry.firstSeen)), "last": .number(Int64(clamping: entry.lastSeen)),
            ])
        }
        return try PropertyList.dictionary([
            "version": .number(1), "others": .string(others.rawValue), "programs": .array(list),
        ]).encoded()
    }

    /// The list of `bytes`, which must be exactly what `encoded()` gives for it.
    package init(decoding bytes: [UInt8]) throws(CodingError) {
        guard case .dictionary(let fields) = try PropertyList(decoding: bytes), fields.count == 3,
            case .number(1)? = fields["version"], case .string(let others)? = fields["others"],
            case .array(let list)? = fields["programs"], let decision = Decision(rawValue: others)
        else { throw .wrongType }
        guard list.count <= ProgramList.most else { throw .malformed }
        self.others = decision
        for value in list {
            guard let entry = try Entry(value) else { continue }
            guard self[entry.program] == nil else { throw .duplicateKey }
            entries.append(entry)
        }
    }
}

extension ProgramList.Entry {
    /// nil of a script that is not named by a path.
    ///
    /// Earlier versions named a script by a word of its command line, which could be code with a password in it: such entries are not
    /// shown, and are gone when the list is next written. What was decided about one was decided about that word only.
    fileprivate init?(_ value: PropertyList) throws(CodingError) {
        guard case .dictionary(let fields) = value, fields.count == 4, case .string(let key)? = fields["program"],
            case .string(let decision)? = fields["decision"], case .number(let first)? = fields["first"],
            case .number(let last)? = fields["last"]
        else { throw .wrongType }
        guard first >= 0, last >= first else { throw .malformed }
        guard let program = BusProgram(key: key) else {
            if key.hasPrefix("script:") { return nil }
            throw .malformed
        }
        self.program = program
        self.decision = ProgramList.Decision(rawValue: decision)
        guard self.decision != nil || decision.isEmpty else { throw .malformed }
        firstSeen = UInt64(first)
        lastSeen = UInt64(last)
    }
}
