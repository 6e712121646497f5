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

    /// Records that somebody was not served who did not get as far as to be known.
    static func refuse(_ socket: OwnedDescriptor, _ log: AuditLog?) {
        guard let log else { return }
        var credentials = llv_peer_credentials()
        let isKnown = unsafe llv_peer_read_credentials(socket.number, &credentials) == 0
        let program = AuditedProgram(user: credentials.uid, process: credentials.pid, image: nil, level: nil)
        try? log.record(
            AuditEntry(.refuse, by: isKnown ? program : nil, outcome: .failed(.authenticationFailed)))
    }

    /// Records that a program is not served.
    static func refuse(_ peer: Peer, _ log: AuditLog?) {
        let program = AuditedProgram(
            user: peer.process.user, process: peer.process.pid, image: peer.evidence.image?.path, level: nil)
        try? log?.record(AuditEntry(.refuse, by: program, outcome: .failed(.missingEntitlement)))
    }
}
