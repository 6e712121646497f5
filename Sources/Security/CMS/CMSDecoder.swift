// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainModel
internal import KeychainSystem
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: what changes in it stands behind a lock.
/// What reads a message that is signed, encrypted, or both.
///
/// First comes the message, then ``CMSDecoderFinalizeMessage(_:)``, then the questions about it.
public final class CMSDecoder: NSObject, @unchecked Sendable {
    let state = ForkSafeMutex(State())

    /// What it has so far.
    struct State: Sendable {
        var bytes: [UInt8] = []
        var detached: [UInt8]?
        /// nil for the usual ones.
        var keychains: [SecKeychain]?
        /// nil until the message was finalized.
        var reading: Reading?
    }

    /// What the message came to.
    struct Reading: Sendable {
        var isEncrypted = false
        var contentType: KeychainCertificates.ObjectIdentifier?
        var content: [UInt8]?
        var signed: SignedMessage?
    }

    /// The message that was read, and what was detached of it; ``errSecParam`` before it was finalized.
    func read() throws(ExchangeFailure) -> (reading: Reading, state: State) {
        let state = state.withLock { $0 }
        guard let reading = state.reading else { throw .parameter("the message was not finalized") }
        return (reading, state)
    }
}

/// The type number of decoders.
public func CMSDecoderGetTypeID() -> CFTypeID { CMSDecoder.typeID }

extension CMSDecoder: CFTypeIdentified {
    static var typeID: CFTypeID { 122 }
}

/// Makes a decoder without a message.
@discardableResult
public func CMSDecoderCreate(_ cmsDecoderOut: UnsafeMutablePointer<CMSDecoder?>) -> OSStatus {
    unsafe cmsDecoderOut.pointee = CMSDecoder()
    return errSecSuccess
}

/// Adds bytes of the message, in DER or BER.
@discardableResult
public func CMSDecoderUpdateMessage(
    _ cmsDecoder: CMSDecoder, _ msgBytes: UnsafeRawPointer, _ msgBytesLen: Int
) -> OSStatus {
    ExchangeCall.status("CMSDecoderUpdateMessage") { () throws(ExchangeFailure) in
        let bytes = try unsafe CMSInput.bytes(msgBytes, msgBytesLen)
        let isTaken = cmsDecoder.state.withLock { state in
            guard state.reading == nil, state.bytes.count + bytes.count <= CMSMessage.largest else { return false }
            state.bytes += bytes
            return true
        }
        guard isTaken else { throw .parameter("the message was finalized, or is too large") }
    }
}

/// Reads the message, and decrypts it with a private key of the keychains, where it is encrypted.
///
/// That may wait for a person, as a key demands.
///
/// - Returns: ``errSecSuccess``; ``errSecUnknownFormat`` for what is no message; ``errSecItemNotFound`` when it is
///   encrypted for others; ``errSecDecode`` when it cannot be decrypted.
@discardableResult
public func CMSDecoderFinalizeMessage(_ cmsDecoder: CMSDecoder) -> OSStatus {
    ExchangeCall.status("CMSDecoderFinalizeMessage") { () throws(ExchangeFailure) in
        let state = cmsDecoder.state.withLock { $0 }
        guard state.reading == nil, !state.bytes.isEmpty else {
            throw .parameter("there is no message, or it was finalized already")
        }
        let reading = try CMSDecoder.Reading(state.bytes, keychains: state.keychains)
        cmsDecoder.state.withLock { $0.reading = reading }
    }
}

/// Gives the content that the message lacks, before or after it is finalized.
@discardableResult
public func CMSDecoderSetDetachedContent(_ cmsDecoder: CMSDecoder, _ detachedContent: CFData) -> OSStatus {
    guard detachedContent.length <= CMSMessage.largest else { return errSecParam }
    let bytes = detachedContent.unsecretBytes
    cmsDecoder.state.withLock { $0.detached = bytes }
    return errSecSuccess
}

/// Gives the content that was set as detached, or nil.
@discardableResult
public func CMSDecoderCopyDetachedContent(
    _ cmsDecoder: CMSDecoder, _ detachedContentOut: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    unsafe detachedContentOut.pointee = cmsDecoder.state.withLock { $0.detached }.map { NSData(copying: $0) }
    return errSecSuccess
}

/// Chooses where private keys and certificates are looked for: a ``SecKeychain`` or an array of them.
@discardableResult
public func CMSDecoderSetSearchKeychain(_ cmsDecoder: CMSDecoder, _ keychainOrArray: CFTypeRef) -> OSStatus {
    ExchangeCall.status("CMSDecoderSetSearchKeychain") { () throws(ExchangeFailure) in
        let keychains = try CMSInput.list(keychainOrArray, "keychains") { $0 as? SecKeychain }
        cmsDecoder.state.withLock { $0.keychains = keychains }
    }
}

/// Gives whether the message was encrypted.
@discardableResult
public func CMSDecoderIsContentEncrypted(
    _ cmsDecoder: CMSDecoder, _ isEncryptedOut: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
    ExchangeCall.status("CMSDecoderIsContentEncrypted") { () throws(ExchangeFailure) in
        unsafe isEncryptedOut.pointee = DarwinBoolean(try cmsDecoder.read().reading.isEncrypted)
    }
}

/// Gives the kind of content as the content of an object identifier.
@discardableResult
public func CMSDecoderCopyEncapsulatedContentType(
    _ cmsDecoder: CMSDecoder, _ eContentTypeOut: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    ExchangeCall.status("CMSDecoderCopyEncapsulatedContentType") { () throws(ExchangeFailure) in
        let type = try cmsDecoder.read().reading.contentType
        unsafe eContentTypeOut.pointee = type.map { NSData(der: $0.content) }
    }
}

/// Gives every certificate of the message that can be read; nil when there is none.
@discardableResult
public func CMSDecoderCopyAllCerts(_ cmsDecoder: CMSDecoder, _ certsOut: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    ExchangeCall.status("CMSDecoderCopyAllCerts") { () throws(ExchangeFailure) in
        let certificates = try cmsDecoder.read().reading.signed?.certificates ?? []
        unsafe certsOut.pointee = certificates.isEmpty ? nil : certificates.map { SecCertificate($0) } as NSArray
    }
}

/// Gives the content; nil when the message does not have it.
///
/// That it is there says nothing about who wrote it: ask for the status of the signers.
@discardableResult
public func CMSDecoderCopyContent(_ cmsDecoder: CMSDecoder, _ contentOut: UnsafeMutablePointer<CFData?>) -> OSStatus {
    ExchangeCall.status("CMSDecoderCopyContent") { () throws(ExchangeFailure) in
        let content = try cmsDecoder.read().reading.content
        unsafe contentOut.pointee = content.map { NSData(copying: $0) }
    }
}
