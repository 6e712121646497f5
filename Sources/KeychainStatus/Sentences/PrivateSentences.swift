// SPDX-License-Identifier: Apache-2.0

extension StatusSentences {
    /// What is said of conditions that Apple's headers keep to themselves.
    static let privateConditions: [Int32: String] = [
        -26270: "The policy does not allow this.",
        -26276: "An internal error occurred in the Security framework.",
        -25330: "Authentication is needed to use the item.",
        -34017: "The result arrives through a callback.",
        -34019: "The keychain is being upgraded.",
    ]
}
