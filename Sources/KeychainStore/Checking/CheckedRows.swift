// SPDX-License-Identifier: Apache-2.0

package import KeychainRequest

/// What a part of the examination of a database came to; `CheckedPart` says what the numbers are.
package struct CheckedRows: Sendable {
    package internal(set) var findings: [Finding] = []
    package internal(set) var rows = 0
    package internal(set) var locked = 0
    package internal(set) var total = 0
    package internal(set) var next: CheckPosition?
}
