// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainEnclaveSoftware
package import KeychainEngine
package import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// A keychain served inside this process, opened when it is first used.
package final class EmbeddedHost: Sendable {
    package let place: Place
    private let clock: @Sendable () -> Double
    private let program: ForkSafeMutex<Program>
    /// A declaration, and the groups computed from it once.
    private struct Program: Sendable {
        let entitlements: ProgramEntitlements
        let caller: Caller

        init(_ entitlements: ProgramEntitlements) {
            self.entitlements = entitlements
            caller = entitlements.caller
        }
    }

    private let withheld = ForkSafeMutex<Set<Accessibility>>([])
    private let engines = PerProcess<KeychainEngine>()

    package init(place: Place, entitlements: ProgramEntitlements, clock: @escaping @Sendable () -> Double) {
        self.place = place
        self.clock = clock
        program = ForkSafeMutex(Program(entitlements))
    }

    /// What the program declares; a change counts from the next call on.
    package var entitlements: ProgramEntitlements {
        get { program.withLock { $0.entitlements } }
        set { program.withLock { $0 = Program(newValue) } }
    }

    /// Locks classes in this process; an empty set unlocks.
    package func withhold(_ classes: Set<Accessibility>) {
        withheld.withLock { $0 = classes }
        engines.existing?.withhold(classes)
    }

    package func connection() throws(KeychainError) -> KeychainConnection {
        KeychainConnection(service: try engine(), caller: program.withLock { $0.caller })
    }

    package func engine() throws(KeychainError) -> KeychainEngine {
        try engines.get { () throws(KeychainError) in
            let engine = try open()
            let classes = withheld.withLock { $0 }
            if !classes.isEmpty { engine.withhold(classes) }
            return engine
        }
    }

    /// The folder of the keychain; nil in memory.
    package var folder: String? {
        switch place {
        case .memory: nil
        case .folder(let root, let name): KeychainFolder(root: root, name: name).path
        }
    }

    /// Examines the keychain; what comes back is what is wrong with it.
    package func check() throws(KeychainError) -> [String] {
        var findings: [Finding]
        switch place {
        case .memory: findings = try engine().check(copyOfKeybag: nil)
        case .folder(let root, let name):
            let engine = try engine()
            let folder = KeychainFolder(root: root, name: name)
            findings = try engine.check(copyOfKeybag: FolderCheck.content(of: folder.keybagCopy))
            findings += FolderCheck.findings(in: folder)
        }
        return findings.map(\.description)
    }

    /// Closes what is idle, for a process that ends or a folder that is about to go.
    package func closeIdle() { engines.existing?.closeIdle() }

    private func open() throws(KeychainError) -> KeychainEngine {
        let surroundings = KeychainEngine.Surroundings(
            clock: clock, randomWords: EmbeddedHost.randomWords, report: Log.damagedRows)
        switch place {
        case .memory:
            let (database, enclave) = try Birth.inMemory()
            return KeychainEngine(
                location: .memory(MemoryDatabase(database)), enclave: enclave, surroundings: surroundings)
        case .folder(let root, let name):
            let folder = KeychainFolder(root: root, name: name)
            if !folder.exists { try Birth.make(folder) }
            try KeychainFolder.refuseUnsafe(folder.root)
            try KeychainFolder.refuseUnsafe(folder.path)
            return KeychainEngine(
                location: .file(path: folder.database, access: folder.access()),
                enclave: SoftwareEnclave(path: folder.deviceKey), surroundings: surroundings)
        }
    }

    private static func randomWords() -> (UInt64, UInt64, UInt64, UInt64)? {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        do throws(CryptoError) {
            try unsafe withUnsafeMutableBytes(of: &words) { (buffer) throws(CryptoError) in
                try unsafe fillRandom(buffer)
            }
            return words
        } catch { return nil }
    }
}
