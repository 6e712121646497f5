// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthentication
internal import KeychainModel
internal import KeychainSystem

/// Where the person of a client is asked.
package struct Seat: Sendable {
    private let prompt: @Sendable (BusClient) -> any SecretPrompt
    private let confirmation: @Sendable (BusClient, SecretQuestion) -> Bool?

    /// `prompt` asks for passcodes, `confirmation` for a yes; nil stands for no answer.
    package init(
        prompt: @escaping @Sendable (BusClient) -> any SecretPrompt,
        confirmation: @escaping @Sendable (BusClient, SecretQuestion) -> Bool?
    ) {
        self.prompt = prompt
        self.confirmation = confirmation
    }

    /// Asks for passcodes until `attempt` is satisfied with one; false where the person gave up, or could not be asked.
    ///
    /// `attempt` answers what was wrong with it, or nil.
    func ask(
        _ client: BusClient, title: String, description: String, prompt label: String, confirms: Bool,
        _ cancellation: Cancellation, _ attempt: (borrowing SecretBytes) -> String?
    ) -> Bool {
        var complaint: String?
        for _ in 0..<Seat.mostAttempts {
            let question = SecretQuestion(
                title: title, description: description, prompt: label, error: complaint, confirms: confirms,
                timeout: Seat.timeout, cancellation: cancellation)
            do throws(PromptError) {
                let secret = try prompt(client).ask(question)
                complaint = attempt(secret)
            } catch { return false }
            if complaint == nil { return true }
        }
        return false
    }

    /// Whether the person said yes; nil where nobody answered.
    func agrees(
        _ client: BusClient, title: String, description: String, ok: String, cancel: String,
        _ cancellation: Cancellation
    ) -> Bool? {
        confirmation(
            client,
            SecretQuestion(
                title: title, description: description, prompt: "", okTitle: ok, cancelTitle: cancel,
                timeout: Seat.timeout, cancellation: cancellation))
    }

    private static let mostAttempts = 3
    private static let timeout: UInt32 = 120
}
