// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

/// A key of the dictionary that ``SecKeyCopyKeyExchangeResult(_:_:_:_:_:)`` takes.
public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, Sendable {
    private let name: String

    /// The name in Apple's header.
    public var rawValue: CFString { name as NSString }

    /// A parameter by its name.
    public init(rawValue: CFString) { name = rawValue as String }

    private init(_ name: String) { self.name = name }

    /// How many bytes are to be derived, a number.
    public static let requestedSize = SecKeyKeyExchangeParameter("requestedSize")
    /// What both sides mix into the derivation, as data.
    public static let sharedInfo = SecKeyKeyExchangeParameter("sharedInfo")

    /// The parameters by name, of a dictionary whose keys are names or these values themselves.
    static func named(_ parameters: CFDictionary) -> CFDictionary {
        // Swift puts a value as a key into a box outside Apple's platforms, where it would become its name on them.
        let result = NSMutableDictionary()
        for (key, value) in parameters {
            if let name = (key as? Self)?.rawValue ?? key as? NSString { result.setObject(value, forKey: name) }
        }
        return result
    }
}
