// SPDX-License-Identifier: Apache-2.0

internal import CSecurity
internal import Foundation
internal import Security

/// The boxes that references to Swift's objects are for C.
enum Boxes {
    /// Whatever is no class of Security's is a box too, so that it comes back as it went; C has no name for it.
    static func box(_ object: AnyObject) -> CObject? {
        begin
        return csec_box(kind(of: object), Unmanaged.passRetained(object).toOpaque())
    }

    private static func kind(of object: AnyObject) -> csec_kind {
        switch object {
        case is SecKey: csec_kind_key
        case is SecCertificate: csec_kind_certificate
        case is SecIdentity: csec_kind_identity
        case is SecPolicy: csec_kind_policy
        case is SecTrust: csec_kind_trust
        case is SecAccessControl: csec_kind_access_control
        case is SecKeychain: csec_kind_keychain
        case is SecKeychainItem: csec_kind_keychain_item
        case is SecAccess: csec_kind_access
        case is SecACL: csec_kind_acl
        case is SecTrustedApplication: csec_kind_trusted_application
        case is SecTask: csec_kind_task
        case is SecKeychainSearch: csec_kind_keychain_search
        case is SecIdentitySearch: csec_kind_identity_search
        case is CMSEncoder: csec_kind_cms_encoder
        case is CMSDecoder: csec_kind_cms_decoder
        default: csec_kind_other
        }
    }

    /// What boxes ask of the objects in them; told once.
    private static let begin: Void = {
        var callbacks = csec_callbacks()
        callbacks.release = { held in if let held { Unmanaged<AnyObject>.fromOpaque(held).release() } }
        callbacks.equal = { held, other in
            guard let object = Boxes.object(held) as? NSObject else { return false }
            return object.isEqual(Boxes.object(other))
        }
        callbacks.hash = { held in UInt(bitPattern: (Boxes.object(held) as? NSObject)?.hash ?? 0) }
        callbacks.describe = { held, text, room in
            guard let text, let object = Boxes.object(held) as? NSObject else { return 0 }
            // No half character at the end, which Core Foundation would not take.
            let words = object.description
            var count = min(words.utf8.count, room)
            while count > 0, String(words.utf8.prefix(count)) == nil { count -= 1 }
            for (index, byte) in words.utf8.prefix(count).enumerated() { text[index] = CChar(bitPattern: byte) }
            return count
        }
        csec_begin(&callbacks)
    }()

    private static func object(_ held: UnsafeMutableRawPointer?) -> AnyObject? {
        held.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
    }
}
