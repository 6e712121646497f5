// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// The name is kept as Swift's string, which makes the value Sendable; the object is made when it is asked for.
/// A way to use a key; Apple's names are the static members.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    let name: String

    /// The name in Apple's header: `algid:` and what the algorithm is made of.
    public var rawValue: CFString { name as NSString }

    /// An algorithm by its name; with a name that nobody knows every key refuses.
    public init(rawValue: CFString) { name = rawValue as String }

    init(_ name: String) { self.name = name }
}
