// SPDX-License-Identifier: Apache-2.0

internal import KeychainAudit
internal import KeychainConnection
internal import KeychainEngine
internal import KeychainModel

/// The log that the daemon keeps beside its keychain.
enum DaemonAudit {
    /// Opens it, and records that the daemon begins.
    ///
    /// Where recording is not required, one that cannot be written is told of and tried again.
    static func open(_ keychain: EmbeddedHost, isRequired: Bool) throws(KeychainError) -> AuditLog? {
        guard let folder = keychain.folder else { return nil }
        let secret = try keychain.engine().auditKey()
        do throws(AuditError) {
            let log = AuditLog(
                folder: folder + "/audit", key: try AuditKey(secret), policy: isRequired ? .required : .bestEffort,
                clock: ProcessHost.systemClock)
            do throws(AuditError) { try log.open() } catch {
                if isRequired { throw error }
                Llaverod.say("the audit log cannot be written for now: \(error)")
            }
            try log.record(AuditEntry(.start, by: nil))
            return log
        } catch {
            throw KeychainError(.notAvailable, "the audit log cannot be written", code: error.number)
        }
    }
}
