// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// Results cast to `[AnyHashable: Any]` have String keys on Linux, and sources look them up with a constant, an
// NSString: without this the two are different keys and the lookup finds nothing. It holds for the whole process.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The string as Swift's own, so that both hash and compare alike as dictionary keys.
    public func _toCustomAnyHashable() -> AnyHashable? {
        AnyHashable(self as String)
    }
}
