// SPDX-License-Identifier: Apache-2.0

// On Apple platforms `import Security` alone brings Data, Date and NSDictionary; existing sources rely on it.
@_exported public import LlaveroFoundation

// Results cast to `[AnyHashable: Any]` have String keys on Linux, and sources look them up with a constant, an
// NSString: without this the two are different keys and the lookup finds nothing. It holds for the whole process.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The string as Swift's own, so that both hash and compare alike as dictionary keys.
    public func _toCustomAnyHashable() -> AnyHashable? {
        AnyHashable(self as String)
    }
}

extension NSMutableDictionary {
    /// Sets the value of a key, or removes the key when the value is nil; Foundation lacks it outside Apple's platforms.
    public func setValue(_ value: Any?, forKey key: String) {
        if let value {
            setObject(value, forKey: key as NSString)
        } else {
            removeObject(forKey: key as NSString)
        }
    }
}

extension NSError {
    /// An error without a domain, written `NSError()`; the parameter is there because Swift allows no other spelling.
    public convenience init(withoutDomain: Void = ()) {
        self.init(domain: "", code: 0)
    }
}

extension NSDictionary {
    /// The entries of another dictionary; outside Apple's platforms Foundation takes only Swift's.
    public convenience init(dictionary other: NSDictionary) {
        // Not by a cast, which makes an empty dictionary of every subclass: they answer through their methods.
        var entries: [AnyHashable: Any] = [:]
        for key in other.keyEnumerator() {
            if let key = key as? AnyHashable { entries[key] = other.object(forKey: key) }
        }
        self.init(dictionary: entries)
    }
}
