// SPDX-License-Identifier: Apache-2.0

extension Attribute.Kind {
    /// Whether a value is one that coercion gives (semantics §2.5).
    package func takes(_ value: AttributeValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.blob, .string), (.blob, .data), (.blob, .number), (.data, .data),
            (.number, .number), (.date, .date):
            true
        // Text that is the exact decimal form of a number is that number: else one port would have two spellings.
        case (.number, .string(let text)): Int64(text).map { String($0) != text } ?? true
        case (.flag, .number(let number)): number == 0 || number == 1
        case (.uuid, .data(let bytes)): bytes.isEmpty || bytes.count == 16
        case (.digest, .data(let bytes)): bytes.count == 20
        case (.string, _), (.blob, _), (.data, _), (.number, _), (.flag, _), (.date, _), (.uuid, _), (.digest, _),
            (.accessControl, _):
            false
        }
    }
}
