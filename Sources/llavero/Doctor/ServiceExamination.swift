// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainSecretService
internal import KeychainTools

/// The findings about the Secret Service: nothing where it is not enabled and nothing of it is damaged.
enum ServiceExamination {
    static func findings(_ keychain: ToolKeychain) -> [Diagnosis] {
        let subject = "secret service"
        // A folder that cannot be reached is reported as that of the keychain.
        guard case .folder(let root, _) = keychain.place, Folders.isThere(root) else { return [] }
        var findings = lists(in: root, subject)
        let report: ServiceReport
        do throws(CommandError) { report = try ServiceReport() } catch {
            return findings + [
                .wrong(subject, PlainText.shown(error.description), fix: "see Docs/SecretService.md, Going back")
            ]
        }
        guard report.isEnabled || report.isEnabledForAll else { return findings }
        switch report.bus {
        case .none:
            findings.append(
                .advice(
                    subject, "is enabled, and there is no session bus here",
                    fix: "in the session of a desktop it is there; elsewhere dbus-run-session starts one"))
        case .silent: findings.append(.wrong(subject, "the session bus cannot be reached", fix: "log in again"))
        case .free where report.activation.first?.startsOurs ?? false:
            findings.append(.good(subject, "is enabled; llaverod is started when a program asks"))
        case .free:
            findings.append(
                .wrong(subject, "is enabled, and nobody provides it", fix: "llavero secret-service enable --now"))
        case .owned(let owner) where owner.isOurs: findings.append(.good(subject, "llaverod provides it"))
        case .owned(let owner):
            findings.append(
                .wrong(
                    subject, "is enabled, and \(PlainText.shown(ServiceReport.words(owner))), has its name",
                    fix: owner.isGnomeKeyring ? "llavero secret-service enable --now" : Handover.advice(owner)))
        }
        if let first = report.activation.first, !first.startsOurs {
            findings.append(
                .wrong(
                    subject, "the bus starts another provider, as \(PlainText.shown(first.path)) says",
                    fix: "llavero secret-service enable"))
        }
        for path in report.starters {
            findings.append(
                .advice(
                    subject, "\(PlainText.shown(path)) starts another provider, which may be faster",
                    fix: "llavero secret-service enable"))
        }
        for path in report.changed {
            findings.append(
                .advice(
                    subject, "\(PlainText.shown(path)) was changed since `llavero secret-service enable`",
                    fix:
                        "look at it, and put it back or have it stay with llavero secret-service disable --leave-changed"
                ))
        }
        return findings
    }

    /// The lists beside the keychains.
    private static func lists(in root: String, _ subject: String) -> [Diagnosis] {
        var findings: [Diagnosis] = []
        let collections = CollectionRegistry(root: root) { 0 }
        do throws(KeychainError) { _ = try collections.collections() } catch {
            findings.append(
                .wrong(
                    subject, PlainText.shown(error.description),
                    fix: "bring \(ShellWord.quoted(collections.path)) back from a backup"))
        }
        let programs = ProgramFile(root: root)
        do throws(KeychainError) { _ = try programs.list() } catch {
            findings.append(
                .wrong(
                    subject, PlainText.shown(error.description),
                    fix: "mv \(ShellWord.quoted(programs.path)) \(ShellWord.quoted(programs.path + ".damaged"))"))
        }
        return findings
    }
}
