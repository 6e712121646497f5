// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// One step of a random run.
enum Operation: CustomStringConvertible {
    case add(Terms)
    case copy(Terms)
    case update(Terms, Terms)
    case delete(Terms)
    case lock(IsolatedKeychain.LockState)
    /// Milliseconds, forwards or backwards.
    case clock(Int64)
    case groups([String])

    var description: String {
        switch self {
        case .add(let terms): "add \(terms.outline)"
        case .copy(let terms): "copy \(terms.outline)"
        case .update(let terms, let changes): "update \(terms.outline) to \(changes.outline)"
        case .delete(let terms): "delete \(terms.outline)"
        case .lock(let state): "\(state)"
        case .clock(let milliseconds): "clock \(milliseconds)"
        case .groups(let groups): "groups \(groups)"
        }
    }
}
