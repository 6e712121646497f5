// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import KeychainAudit
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainWire

/// Records one client's calls, and what became of each, when it is over.
struct SessionAudit {
    private let log: AuditLog?
    private let program: AuditedProgram

    /// Records that a program is served.
    init(_ log: AuditLog?, _ peer: Peer, _ program: AdmittedProgram) {
        self.log = log
        self.program = AuditedProgram(
            user: peer.process.user, process: peer.process.pid, image: program.image, level: program.level)
        try? log?.record(AuditEntry(.admit, by: self.program))
    }

    /// What `answer` answers; where a record is required and cannot be made, a failure in its place.
    func recording(_ call: WireCall, _ answer: (CallDeeds?) -> WireReply) -> WireReply {
        guard let log, var entry = AuditEntry(call, by: program) else { return answer(nil) }
        if entry.operation.isSensitive {
            do throws(AuditError) { try log.requireWritable() } catch {
                return .failure(
                    KeychainError(
                        .notAvailable, "the audit log cannot be written, and without a record of it nothing is done",
                        code: error.number))
            }
        }
        let deeds = CallDeeds()
        let reply = answer(deeds)
        entry.take(reply, deeds.all)
        do throws(AuditError) { try log.record(entry) } catch {
            guard entry.operation.isSensitive, entry.outcome == .done else { return reply }
            return .failure(
                KeychainError(
                    .notAvailable, "it was done, but it could not be recorded, so its result is kept back",
                    code: error.number))
        }
        return reply
    }

    /// Records that a keychain was made with a passcode.
    func recordFirstPasscode() { try? log?.record(AuditEntry(.setPasscode, by: program)) }

    /// Records, with the keychain of whoever it was, that somebody was not served who did not get as far as to be known.
    ///
    /// Nobody's keychain is opened for that.
    static func refuse(_ socket: OwnedDescriptor, _ keychains: UserKeychains) {
        var credentials = llv_peer_credentials()
        guard unsafe llv_peer_read_credentials(socket.number, &credentials) == 0 else { return }
        let program = AuditedProgram(user: credentials.uid, process: credentials.pid, image: nil, level: nil)
        record(AuditEntry(.refuse, by: program, outcome: .failed(.authenticationFailed)), credentials.uid, keychains)
    }

    /// Records that a program is not served.
    static func refuse(_ peer: Peer, _ keychains: UserKeychains) {
        let program = AuditedProgram(
            user: peer.process.user, process: peer.process.pid, image: peer.evidence.image?.path, level: nil)
        record(
            AuditEntry(.refuse, by: program, outcome: .failed(.missingEntitlement)), peer.process.user, keychains)
    }

    /// In the log of that user's keychain.
    ///
    /// Of a stranger it is in its user's where the daemon has one user alone; else one could push older records out of
    /// everybody's.
    private static func record(_ entry: AuditEntry, _ user: UInt32, _ keychains: UserKeychains) {
        let opened = keychains.opened
        let own = opened.filter { $0.user == user }
        for (_, keychain) in own.isEmpty && !keychains.isShared ? opened : own { try? keychain.audit?.record(entry) }
    }
}
