// SPDX-License-Identifier: Apache-2.0

/// What became of holding one rule against one peer.
enum RuleVerdict: Sendable, Equatable {
    case holds
    /// It is about somebody else.
    case unrelated
    /// It is about this program, and something is wrong: worth telling whoever wrote it.
    case fails(String)
}
