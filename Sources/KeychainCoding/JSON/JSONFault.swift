// SPDX-License-Identifier: Apache-2.0

/// Why something is no JSON, or none that is taken.
package enum JSONFault: Error, Equatable {
    case malformed
    /// A name that an object has already.
    case twice
    case tooDeep
}
