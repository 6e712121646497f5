// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainModel
internal import KeychainRequest

/// The objects that results are made of; keys are made once.
enum ResultKeys {
    // NSString is immutable and these are never changed; Foundation only declines to say so.
    @safe nonisolated(unsafe) static let itemClass: NSString = "class"
    @safe nonisolated(unsafe) static let data: NSString = "v_Data"
    @safe nonisolated(unsafe) static let reference: NSString = "v_Ref"
    @safe nonisolated(unsafe) static let persistentReference: NSString = "v_PersistentRef"
    @safe nonisolated(unsafe) private static let identityClass: NSString = "idnt"

    @safe nonisolated(unsafe) private static let attributeKeys = Attribute.table { $0.key as NSString }
    @safe nonisolated(unsafe) private static let classNames = ItemClass.allCases.map { $0.name as NSString }

    static func key(of attribute: Attribute) -> NSString {
        attributeKeys[attribute.ordinal]
    }

    static func className(of found: Found) -> NSString {
        switch found {
        case .item(let item): classNames[Int(item.itemClass.rawValue)]
        case .identity: identityClass
        case .damaged(let item): classNames[Int(item.itemClass.rawValue)]
        }
    }

    static func className(of listed: ListedObject) -> NSString {
        switch listed {
        case .certificate: classNames[Int(ItemClass.certificate.rawValue)]
        case .key: classNames[Int(ItemClass.key.rawValue)]
        case .identity: identityClass
        }
    }

    static func object(for value: AttributeValue) -> AnyObject {
        switch value {
        case .string(let text): text as NSString
        case .data(let bytes): unsafe NSData(bytes: bytes, length: bytes.count)
        case .number(let number): NSNumber(value: number)
        case .date(let date): NSDate(timeIntervalSinceReferenceDate: date)
        }
    }
}
