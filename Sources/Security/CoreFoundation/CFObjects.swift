// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import LlaveroFoundation

/// A universally unique identifier.
public typealias CFUUID = NSUUID

/// A new identifier.
public func CFUUIDCreate(_ alloc: CFAllocator!) -> CFUUID! { NSUUID() }

/// The identifier as text.
public func CFUUIDCreateString(_ alloc: CFAllocator!, _ uuid: CFUUID!) -> CFString! {
    uuid.map { $0.uuidString as NSString }
}

/// The identifier that a text is; nil for other text.
public func CFUUIDCreateFromString(_ alloc: CFAllocator!, _ uuidStr: CFString!) -> CFUUID! {
    uuidStr.flatMap { NSUUID(uuidString: $0 as String) }
}

/// How the path of a file is written.
@frozen public enum CFURLPathStyle: CFIndex, Sendable {
    /// As POSIX does.
    case cfurlposixPathStyle = 0
    /// As Windows does; it is not supported.
    case cfurlWindowsPathStyle = 2
}

/// A URL of text, beginning at another one; nil for text that is none.
public func CFURLCreateWithString(
    _ allocator: CFAllocator!, _ urlString: CFString!, _ baseURL: CFURL!
) -> CFURL! {
    urlString.flatMap { NSURL(string: $0 as String, relativeTo: baseURL as URL?) }
}

/// The URL of a file; nil for another style than that of POSIX.
public func CFURLCreateWithFileSystemPath(
    _ allocator: CFAllocator!, _ filePath: CFString!, _ pathStyle: CFURLPathStyle, _ isDirectory: Bool
) -> CFURL! {
    guard let filePath, pathStyle == .cfurlposixPathStyle else { return nil }
    return NSURL(fileURLWithPath: filePath as String, isDirectory: isDirectory)
}

/// The path of a file; nil for another style than that of POSIX.
public func CFURLCopyFileSystemPath(_ anURL: CFURL!, _ pathStyle: CFURLPathStyle) -> CFString! {
    pathStyle == .cfurlposixPathStyle ? CFURLCopyPath(anURL) : nil
}

/// The URL as text.
public func CFURLGetString(_ anURL: CFURL!) -> CFString! { anURL.map { $0.relativeString as NSString } }

/// The path in the URL, without escapes.
public func CFURLCopyPath(_ anURL: CFURL!) -> CFString! { anURL?.path.map { $0 as NSString } }

/// The host in the URL.
public func CFURLCopyHostName(_ anURL: CFURL!) -> CFString! { anURL?.host.map { $0 as NSString } }

/// The scheme of the URL.
public func CFURLCopyScheme(_ anURL: CFURL!) -> CFString! { anURL?.scheme.map { $0 as NSString } }

/// The last part of the path.
public func CFURLCopyLastPathComponent(_ url: CFURL!) -> CFString! {
    url?.lastPathComponent.map { $0 as NSString }
}

/// What comes behind the last dot of the path; nil without one.
public func CFURLCopyPathExtension(_ url: CFURL!) -> CFString! {
    url?.pathExtension.flatMap { $0.isEmpty ? nil : $0 as NSString }
}

/// The URL without another one that it begins at.
public func CFURLCopyAbsoluteURL(_ relativeURL: CFURL!) -> CFURL! { relativeURL?.absoluteURL.map { $0 as NSURL } }

/// The URL of a part of a folder.
public func CFURLCreateCopyAppendingPathComponent(
    _ allocator: CFAllocator!, _ url: CFURL!, _ pathComponent: CFString!, _ isDirectory: Bool
) -> CFURL! {
    guard let pathComponent else { return nil }
    return url?.appendingPathComponent(pathComponent as String, isDirectory: isDirectory).map { $0 as NSURL }
}

/// The port in the URL; -1 without one.
public func CFURLGetPortNumber(_ anURL: CFURL!) -> Int32 { anURL?.port?.int32Value ?? -1 }

/// An error with its code and what it carries.
public func CFErrorCreate(
    _ allocator: CFAllocator!, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
    guard let domain else { return nil }
    return NSError(domain: domain as String, code: code, userInfo: userInfo as? [String: Any])
}

/// Why the failed operation failed, for a user; nil when the error does not say.
public func CFErrorCopyFailureReason(_ err: CFError!) -> CFString! {
    err?.localizedFailureReason.map { $0 as NSString }
}

/// What a user can do; nil when the error does not say.
public func CFErrorCopyRecoverySuggestion(_ err: CFError!) -> CFString! {
    err?.localizedRecoverySuggestion.map { $0 as NSString }
}

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// The domain of errors of the C library.
@safe nonisolated(unsafe) public let kCFErrorDomainPOSIX: CFErrorDomain = "NSPOSIXErrorDomain"
/// The domain of statuses.
@safe nonisolated(unsafe) public let kCFErrorDomainOSStatus: CFErrorDomain = "NSOSStatusErrorDomain"
/// The domain of errors of Cocoa.
@safe nonisolated(unsafe) public let kCFErrorDomainCocoa: CFErrorDomain = "NSCocoaErrorDomain"
/// The key of an error's description.
@safe nonisolated(unsafe) public let kCFErrorLocalizedDescriptionKey: CFString = "NSLocalizedDescription"
/// The key of an error's reason.
@safe nonisolated(unsafe) public let kCFErrorLocalizedFailureReasonKey: CFString = "NSLocalizedFailureReason"
/// The key of what a user can do about an error.
@safe nonisolated(unsafe) public let kCFErrorLocalizedRecoverySuggestionKey: CFString =
    "NSLocalizedRecoverySuggestion"
/// The key of what a programmer is told of an error.
@safe nonisolated(unsafe) public let kCFErrorDescriptionKey: CFString = "NSDescription"
/// The key of the error that was the cause.
@safe nonisolated(unsafe) public let kCFErrorUnderlyingErrorKey: CFString = "NSUnderlyingError"
