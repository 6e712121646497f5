// SPDX-License-Identifier: Apache-2.0

extension PropertyList {
    /// The value of a property list file in XML.
    ///
    /// What people and Apple's tools write is taken: UTF-8, one plist element with one value in it, comments, CDATA. What
    /// XML has beyond that (attributes, entities of one's own, other encodings) is refused. A date or a fraction, which
    /// nothing here asks for, is read as null.
    package init(xml bytes: [UInt8]) throws(CodingError) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .invalidString }
        var reader = XMLReader(bytes)
        try reader.skipProlog()
        guard try reader.tag() == XMLTag("plist", .opening) else { throw .unknownTag }
        self = try PropertyList.value(&reader, try reader.nextTag(), depthLeft: PropertyList.greatestDepth)
        guard try reader.nextTag() == XMLTag("plist", .closing) else { throw .trailingBytes }
        try reader.skipSpace()
        guard reader.isAtEnd else { throw .trailingBytes }
    }

    private static func value(
        _ reader: inout XMLReader, _ tag: XMLTag, depthLeft: Int
    ) throws(CodingError) -> PropertyList {
        guard tag.kind != .closing else { throw .wrongType }
        let isEmpty = tag.kind == .empty
        switch tag.name {
        case "dict":
            guard depthLeft > 0 else { throw .depthExceeded }
            return .dictionary(isEmpty ? [:] : try dictionary(&reader, depthLeft: depthLeft - 1))
        case "array":
            guard depthLeft > 0 else { throw .depthExceeded }
            return .array(isEmpty ? [] : try array(&reader, depthLeft: depthLeft - 1))
        case "true", "false":
            if !isEmpty, try reader.nextTag() != XMLTag(tag.name, .closing) { throw .wrongType }
            return .boolean(tag.name == "true")
        case "string": return .string(isEmpty ? "" : try reader.text(endingWith: tag.name))
        case "data":
            guard let data = Base64Text.bytes(isEmpty ? "" : try reader.text(endingWith: tag.name)) else {
                throw .notCanonical
            }
            return .data(data)
        case "integer":
            let text = isEmpty ? "" : try reader.text(endingWith: tag.name)
            let digits = text.utf8.trimming(while: XMLReader.isSpace)
            guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { throw .numberOutOfRange }
            return .number(number)
        case "date", "real":
            _ = isEmpty ? "" : try reader.text(endingWith: tag.name)
            return .null
        default: throw .unknownTag
        }
    }

    private static func array(_ reader: inout XMLReader, depthLeft: Int) throws(CodingError) -> [PropertyList] {
        var values: [PropertyList] = []
        while true {
            let tag = try reader.nextTag()
            if tag == XMLTag("array", .closing) { return values }
            values.append(try value(&reader, tag, depthLeft: depthLeft))
        }
    }

    private static func dictionary(
        _ reader: inout XMLReader, depthLeft: Int
    ) throws(CodingError) -> [String: PropertyList] {
        var values: [String: PropertyList] = [:]
        while true {
            let tag = try reader.nextTag()
            if tag == XMLTag("dict", .closing) { return values }
            guard tag.name == "key", tag.kind != .closing else { throw .wrongType }
            let key = tag.kind == .empty ? "" : try reader.text(endingWith: "key")
            let value = try value(&reader, try reader.nextTag(), depthLeft: depthLeft)
            guard values.updateValue(value, forKey: key) == nil else { throw .duplicateKey }
        }
    }
}

extension String.UTF8View {
    /// What is left without such bytes at both ends.
    fileprivate func trimming(while isUnwanted: (UInt8) -> Bool) -> SubSequence {
        let rest = drop(while: isUnwanted)
        guard let last = rest.lastIndex(where: { !isUnwanted($0) }) else { return rest.prefix(0) }
        return rest[...last]
    }
}
