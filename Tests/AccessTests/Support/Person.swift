// SPDX-License-Identifier: Apache-2.0

import KeychainAuthentication
import KeychainModel
import KeychainSystem
import Synchronization
import TestPrompts

/// Somebody before the machine, who does what the test says at the time.
final class Person: Sendable {
    /// What somebody does when asked.
    enum Manner: Sendable {
        case right
        /// Wrong so many times, then right.
        case wrong(times: Int)
        case refuses
        /// Lets the time for an answer pass.
        case isLate
        /// There is nobody, and nothing to ask with.
        case isAway
        /// Says nothing until the question is taken back.
        case isSilent
        /// Comes to the gate, waits until it is opened, and then does the right thing.
        case thinks(Turnstile)
        /// The same, and then refuses.
        case refusesAfter(Turnstile)

        static let wrong = Manner.wrong(times: .max)
    }

    /// One thing somebody was asked, with the program's own words for what it is for, if it gave any.
    enum Asked: Equatable, Sendable {
        case passcode(String = "", complaint: String? = nil)
        case password(String = "", complaint: String? = nil, isNew: Bool = false)
        case finger(String = "")
    }

    private struct State {
        var typing: Manner
        var touching: Manner
        var enrolled: String?
        var passcode: String
        var asked: [Asked] = []
        var askers: [String] = []
        var cancelTitles: [String?] = []
        var looks = 0
        var relieved = 0

        /// The program's own words: all but the first line, which is the keychain's.
        mutating func note(_ description: String) -> String {
            let lines = description.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            askers.append(String(lines[0]))
            return lines.count > 1 ? String(lines[1]) : ""
        }
    }

    /// The password that the person knows for every item that has one.
    static let password = "a password of the item's own"

    private static let eternity: UInt32 = 100_000

    private let state: Mutex<State>
    private let watchers = Mutex<[(holds: @Sendable (Person) -> Bool, met: CheckedContinuation<Void, Never>)]>([])

    /// Somebody whose fingers are enrolled under a name; nil where there is no reader, empty where no finger is enrolled.
    init(_ manner: Manner = .right, enrolled: String? = "left index", passcode: String = Passcodes.first) {
        state = Mutex(State(typing: manner, touching: manner, enrolled: enrolled, passcode: passcode))
    }

    /// How they answer from now on, with keys and with fingers.
    func behave(_ manner: Manner, fingers: Manner? = nil) {
        state.withLock { ($0.typing, $0.touching) = (manner, fingers ?? manner) }
    }

    func enroll(_ fingers: String?) { state.withLock { $0.enrolled = fingers } }
    func learn(passcode: String) { state.withLock { $0.passcode = passcode } }

    /// Changes what they know or were asked, and tells who waits for that.
    private func change<Result>(_ body: (inout sending State) -> sending Result) -> Result {
        let result = state.withLock(body)
        let met = watchers.withLock { watchers in
            // Looked at once each: another thread may make it hold meanwhile.
            let count = watchers.partition { $0.holds(self) }
            defer { watchers.removeSubrange(count...) }
            return Array(watchers[count...])
        }
        for watcher in met { watcher.met.resume() }
        return result
    }

    /// Returns when the condition holds; it can begin to hold with what they are asked, and in no other way.
    func becomes(_ holds: @escaping @Sendable (Person) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = watchers.withLock { watchers in
                if holds(self) { return true }
                watchers.append((holds, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// All they were asked so far.
    var asked: [Asked] { state.withLock { $0.asked } }
    /// What stood before the program's words each time.
    var askers: [String] { state.withLock { $0.askers } }
    /// What was on the button that refuses, each time something was to be typed.
    var cancelTitles: [String?] { state.withLock { $0.cancelTitles } }
    /// How often somebody looked what is enrolled.
    var looks: Int { state.withLock { $0.looks } }
    /// How many questions they said nothing to were taken back.
    var relieved: Int { state.withLock { $0.relieved } }
}

extension Person: SecretPrompt {
    func ask(_ question: SecretQuestion) throws(PromptError) -> SecretBytes {
        let isPasscode = question.title == "Keychain passcode"
        let (manner, passcode) = change { state in
            let words = state.note(question.description)
            state.cancelTitles.append(question.cancelTitle)
            state.asked.append(
                isPasscode
                    ? .passcode(words, complaint: question.error)
                    : .password(words, complaint: question.error, isNew: question.confirms))
            return (Person.next(&state.typing), state.passcode)
        }
        switch manner {
        case .right: break
        case .wrong: return Person.secret("something else")
        case .refuses: throw .cancelled
        case .isLate: throw .timedOut
        case .isAway: throw .notAvailable("nobody is there")
        case .isSilent:
            defer { change { $0.relieved += 1 } }
            // The time that a question has is not what these tests are about.
            var question = question
            question.timeout = Person.eternity
            return try ScriptedPrompt([.silence]).ask(question)
        case .thinks(let gate): gate.enter()
        case .refusesAfter(let gate):
            gate.enter()
            throw .cancelled
        }
        return Person.secret(isPasscode ? passcode : Person.password)
    }

    private static func secret(_ text: String) -> SecretBytes {
        SecretBytes(count: text.utf8.count) { $0.copyBytes(from: text.utf8) }
    }

    /// What is done this time.
    private static func next(_ manner: inout Manner) -> Manner {
        guard case .wrong(let times) = manner else { return manner }
        guard times > 0 else { return .right }
        manner = .wrong(times: times - 1)
        return .wrong
    }
}

extension Person: FingerprintReader {
    func state(_ cancellation: Cancellation) throws(FingerprintError) -> FingerprintState {
        let enrolled = change { state in
            state.looks += 1
            return state.enrolled
        }
        guard let enrolled else { return .noReader }
        return enrolled.isEmpty ? .noFinger : .enrolled(set: Array(enrolled.utf8))
    }

    func verify(_ reason: String, _ cancellation: Cancellation, timeout: UInt32) throws(FingerprintError) {
        let manner = change { state in
            state.asked.append(.finger(state.note(reason)))
            return Person.next(&state.touching)
        }
        switch manner {
        case .right: return
        case .wrong: throw .notRecognized
        case .refuses: throw .cancelled
        case .isLate: throw .timedOut
        case .isAway: throw .notAvailable("nobody is there")
        case .isSilent:
            defer { change { $0.relieved += 1 } }
            try ScriptedFingerprintReader(.noFinger, [.silence]).verify(
                reason, cancellation, timeout: Person.eternity)
        case .thinks(let gate): gate.enter()
        case .refusesAfter(let gate):
            gate.enter()
            throw .cancelled
        }
    }
}
