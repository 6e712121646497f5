// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// One thing that was looked at, and what to do about it.
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
