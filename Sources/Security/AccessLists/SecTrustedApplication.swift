// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Glibc
internal import KeychainModel
internal import KeychainSystem
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into an array.
// Sendable: what changes in it stands behind a lock.
/// A program that an access list trusts, by its path; see ``SecAccess`` for what that is worth here.
public final class SecTrustedApplication: NSObject, @unchecked Sendable {
    private let state: ForkSafeMutex<[UInt8]>

    /// The program at a path, or this one for nil.
    init(path: String?) throws(KeychainError) {
        guard let found = unsafe realpath(path ?? "/proc/self/exe", nil).map({ unsafe Path(taking: $0) }) else {
            throw KeychainError(.parameter, "there is no such program", code: Int64(errno))
        }
        state = ForkSafeMutex(found.bytes)
        super.init()
    }

    /// What a system call made for us.
    private struct Path {
        let bytes: [UInt8]

        init(taking text: UnsafeMutablePointer<CChar>) {
            bytes = unsafe Array(String(cString: text).utf8)
            unsafe free(text)
        }
    }

    /// The path.
    var data: [UInt8] {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Two are equal when they are the same program.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecTrustedApplication)?.data == data }

    /// A hash of the path.
    public override var hash: Int { data.hashValue }

    /// The programs in an array; nil for nil.
    static func list(_ array: CFArray?) throws(KeychainError) -> [SecTrustedApplication]? {
        guard let array else { return nil }
        guard let all = array as? [SecTrustedApplication] else {
            throw KeychainError(.parameter, "the array has something else than SecTrustedApplication")
        }
        return all
    }
}

/// The type number of trusted programs.
public func SecTrustedApplicationGetTypeID() -> CFTypeID { SecTrustedApplication.typeID }

extension SecTrustedApplication: CFTypeIdentified {
    static var typeID: CFTypeID { 110 }
}

/// Names the program at a path, or the calling one for nil; ``errSecParam`` when there is none.
@discardableResult
public func SecTrustedApplicationCreateFromPath(
    _ path: UnsafePointer<CChar>?, _ app: UnsafeMutablePointer<SecTrustedApplication?>
) -> OSStatus {
    let text = unsafe path.map { unsafe String(cString: $0) }
    return Call.status("SecTrustedApplicationCreateFromPath") { () throws(KeychainError) in
        SecAccess.remarkOnce()
        unsafe app.pointee = try SecTrustedApplication(path: text)
    }
}

/// Gives what names a program: its path with a zero behind it.
@discardableResult
public func SecTrustedApplicationCopyData(
    _ appRef: SecTrustedApplication, _ data: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    unsafe data.pointee = NSData(copying: appRef.data + [0])
    return errSecSuccess
}

/// Changes what names a program.
@discardableResult
public func SecTrustedApplicationSetData(_ appRef: SecTrustedApplication, _ data: CFData) -> OSStatus {
    let bytes = data.unsecretBytes
    guard !bytes.isEmpty else { return errSecParam }
    appRef.data = bytes.last == 0 ? bytes.dropLast() : bytes
    return errSecSuccess
}
