// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

/// The name of the domain that an error's code belongs to.
public typealias CFErrorDomain = CFString

/// The error's code; 0 when there is no error.
public func CFErrorGetCode(_ error: CFError!) -> CFIndex {
    error?.code ?? 0
}

/// The domain of the error's code.
public func CFErrorGetDomain(_ error: CFError!) -> CFErrorDomain! {
    error.map { $0.domain as NSString }
}

/// What the error carries beside its code.
public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! {
    error.map { $0.userInfo as NSDictionary }
}

/// The error's description for a user.
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! {
    error.map { $0.localizedDescription as NSString }
}
