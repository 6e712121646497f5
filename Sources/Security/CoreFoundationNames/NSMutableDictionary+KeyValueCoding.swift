// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

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
