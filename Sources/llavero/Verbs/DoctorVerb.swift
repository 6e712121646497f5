// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainTools

/// `llavero doctor`.
enum DoctorVerb: Verb {
    static let name = "doctor"
    static let summary = "finds problems, and shows how to fix them"
    static let help = """
        usage: llavero doctor [--json | --plain] [--quiet]

        Examines everything that a keychain needs: its folder, its keys and items, the enclave, its circle if it is in one, the agent,
        the rules for programs, helpful packages, and the Secret Service where that is enabled. For each problem or possible
        improvement it shows what to do. It changes nothing, and ends with 1 when something is wrong.

        It also finds plaintext passwords and tokens in the files of docker, podman, git, gh, pip, twine, npm, cargo and netrc. It shows
        the file and the line, never the password, and shell commands that move it into the keychain.

          --json            a list of objects
          --plain           a line for each finding, with fields separated by tabs
          --quiet           lists only what is wrong
          --keychain NAME   examines another keychain, by name or path
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, help: help)
        try options.requireNoOperands(name)
        let form = try OutputForm(options)
        let keychain: ToolKeychain
        var findings: [Diagnosis] = []
        if let name = options.value("--keychain") {
            keychain = try ToolKeychain(written: name)
            guard try keychain.isThere else { throw .notFound("there is no keychain \(PlainText.shown(name))") }
        } else {
            do throws(CommandError) { keychain = try ToolKeychain(at: try Keychains.preferences().standard) } catch {
                // The reason why the list cannot be read may be the problem of the keychain itself.
                keychain = try ToolKeychain()
                findings = [.wrong("search list", PlainText.shown(error.description), fix: "see the next lines")]
            }
        }
        findings += self.findings(of: keychain) + SearchListExamination.findings(besides: keychain)
        findings += PlaintextExamination.findings()
        let listed = options.has("--quiet") ? findings.filter { $0.grade == .wrong } : findings
        if form == .people {
            for finding in listed { show(finding) }
        } else {
            var listing = Listing([
                .init("GRADE", "grade"), .init("SUBJECT", "subject"), .init("FINDING", "finding"), .init("FIX", "fix"),
            ])
            listing.rows = listed.map(\.members)
            listing.print(form)
        }
        let wrong = findings.count { $0.grade == .wrong }
        if wrong > 0 { throw .failure("\(wrong) \(wrong == 1 ? "problem was" : "problems were") found") }
    }

    /// What concerns the keychain.
    static func findings(of keychain: ToolKeychain) -> [Diagnosis] {
        var findings = KeychainExamination.findings(of: keychain)
        // What cannot be opened is said once.
        if !findings.contains(where: { $0.grade == .wrong }) { findings += CircleExamination.findings(of: keychain) }
        return findings + SurroundingsExamination.findings(keychain) + ServiceExamination.findings(keychain)
    }

    private static func show(_ finding: Diagnosis) {
        let mark =
            switch finding.grade {
            case .good: Screen.output.faint("ok    ")
            case .advice: "advice"
            case .wrong: Screen.output.bold("WRONG ")
            }
        print("\(mark)  \(PlainText.lines("\(finding.subject): \(finding.text)"))")
        if let fix = finding.fix { print("        do: \(PlainText.lines(fix))") }
    }
}

/// One finding, and what to do about it.
struct Diagnosis {
    enum Grade: String {
        case good
        /// It works, and could be better.
        case advice
        case wrong
    }

    let grade: Grade
    let subject: String
    let text: String
    let fix: String?

    static func good(_ subject: String, _ text: String) -> Diagnosis {
        Diagnosis(grade: .good, subject: subject, text: text, fix: nil)
    }

    static func advice(_ subject: String, _ text: String, fix: String) -> Diagnosis {
        Diagnosis(grade: .advice, subject: subject, text: text, fix: fix)
    }

    static func wrong(_ subject: String, _ text: String, fix: String) -> Diagnosis {
        Diagnosis(grade: .wrong, subject: subject, text: text, fix: fix)
    }

    var members: [JSONText] { [.text(grade.rawValue), .text(subject), .text(text), .optional(fix)] }
}
