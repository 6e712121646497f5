// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainEngine

/// A person in a test: answers by a script when an isolated keychain asks.
///
/// ```swift
/// let person = ScriptedPerson(answers: [.types("1234")])
/// let keychain = try IsolatedKeychain(person: person)
/// ```
public final class ScriptedPerson: Sendable {
    /// What the person does when asked for a secret.
    @frozen public enum Answer: Sendable {
        case types(String)
        case refuses
        case isAway
    }

    /// What the person does when asked for a finger.
    @frozen public enum Finger: Sendable {
        case enrolled
        case unknown
        case refuses
    }

    private let prompt: ScriptedPrompt
    private let reader: ScriptedFingerprintReader

    /// A person with these answers; when they are used up, every further question fails.
    ///
    /// - Parameters:
    ///   - answers: One for each question.
    ///   - fingers: One for each time a finger is asked for.
    ///   - enrolled: The name of the set of fingers that is enrolled; nil where there is no reader.
    ///   - usually: The answer when `answers` are used up, however often; with it fingers are shown and recognized when
    ///     `fingers` are used up.
    public init(
        answers: [Answer] = [], fingers: [Finger] = [], enrolled: String? = nil, usually: Answer? = nil
    ) {
        prompt = ScriptedPrompt(answers.map(\.scripted), then: usually?.scripted)
        reader = ScriptedFingerprintReader(
            ScriptedPerson.state(enrolled), fingers.map(\.scripted), then: usually.map { _ in .recognized })
    }

    /// What the person was asked, by the titles of the questions and the reasons for fingers.
    public var questions: [String] { prompt.questions.map(\.title) + reader.reasons }

    /// Enrolls another set of fingers, or takes the reader away with nil.
    public func enroll(_ set: String?) { reader.change(to: ScriptedPerson.state(set)) }

    var authenticators: Authenticators { Authenticators(prompt: prompt, fingers: reader) }

    private static func state(_ enrolled: String?) -> FingerprintState {
        enrolled.map { .enrolled(set: Array($0.utf8)) } ?? .noReader
    }
}

extension ScriptedPerson.Answer {
    fileprivate var scripted: ScriptedPrompt.Answer {
        switch self {
        case .types(let text): .secret(text)
        case .refuses: .cancelled
        case .isAway: .notAvailable
        }
    }
}

extension ScriptedPerson.Finger {
    fileprivate var scripted: ScriptedFingerprintReader.Answer {
        switch self {
        case .enrolled: .recognized
        case .unknown: .failure(.notRecognized)
        case .refuses: .failure(.cancelled)
        }
    }
}
