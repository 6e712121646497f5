// SPDX-License-Identifier: Apache-2.0

/// An element of DER that a test takes apart, changes and writes again.
package struct Element {
    package var tag: UInt8
    package var content: [UInt8] = []
    package var children: [Element] = []

    package init(_ tag: UInt8, _ content: [UInt8]) {
        self.tag = tag
        self.content = content
    }

    package init(_ tag: UInt8, children: [Element]) {
        self.tag = tag
        self.children = children
    }

    /// The element that `bytes` are; they must be well formed.
    package init(_ bytes: [UInt8]) {
        let (element, _) = Element.first(bytes[...])
        self = element
    }

    private static func first(_ bytes: ArraySlice<UInt8>) -> (Element, ArraySlice<UInt8>) {
        let start = bytes.startIndex
        var contentStart = start + 2
        var length = Int(bytes[start + 1])
        if length >= 0x80 {
            let octets = length & 0x7F
            length = bytes[contentStart..<contentStart + octets].reduce(0) { $0 << 8 | Int($1) }
            contentStart += octets
        }
        let end = contentStart + length
        var element = Element(bytes[start], [])
        if bytes[start] & 0x20 == 0 {
            element.content = Array(bytes[contentStart..<end])
        } else {
            var rest = bytes[contentStart..<end]
            while !rest.isEmpty {
                let (child, after) = first(rest)
                element.children.append(child)
                rest = after
            }
        }
        return (element, bytes[end...])
    }

    package var bytes: [UInt8] {
        let content = tag & 0x20 == 0 ? content : children.flatMap(\.bytes)
        return [tag] + Self.length(content.count) + content
    }

    package static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        var octets: [UInt8] = []
        var rest = count
        while rest > 0 {
            octets.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(octets.count)] + octets
    }

    /// What is at a path of child numbers.
    package subscript(path: [Int]) -> Element {
        get { path.reduce(self) { $0.children[$1] } }
        set {
            guard let first = path.first else {
                self = newValue
                return
            }
            children[first][Array(path.dropFirst())] = newValue
        }
    }

    /// This with something else at a path.
    package func with(_ path: [Int], _ change: (inout Element) -> Void) -> [UInt8] {
        var copy = self
        change(&copy[path])
        return copy.bytes
    }
}
