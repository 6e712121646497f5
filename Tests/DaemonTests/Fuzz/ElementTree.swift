// SPDX-License-Identifier: Apache-2.0

/// The elements of a message's head as a tree: tags, lengths and what they hold, and no idea of what it means.
enum ElementTree {
    case leaf(tag: UInt8, [UInt8])
    case branch(tag: UInt8, [ElementTree])

    /// The element that bytes begin with, and how many bytes it has.
    static func parse(_ bytes: ArraySlice<UInt8>) -> (ElementTree, Int)? {
        guard bytes.count >= 2, let tag = bytes.first else { return nil }
        var start = bytes.startIndex + 2
        var size = Int(bytes[bytes.startIndex + 1])
        if size >= 0x80 {
            let octets = size - 0x80
            guard octets >= 1, octets <= 4, bytes.count >= 2 + octets else { return nil }
            size = bytes[start..<start + octets].reduce(0) { $0 << 8 | Int($1) }
            start += octets
        }
        guard size <= bytes.endIndex - start else { return nil }
        let content = bytes[start..<start + size]
        let total = start + size - bytes.startIndex
        guard tag & 0x20 != 0 else { return (.leaf(tag: tag, Array(content)), total) }
        var children: [ElementTree] = []
        var rest = content
        while !rest.isEmpty {
            guard let (child, count) = parse(rest) else { return nil }
            children.append(child)
            rest = rest.dropFirst(count)
        }
        return (.branch(tag: tag, children), total)
    }

    var encoded: [UInt8] {
        switch self {
        case .leaf(let tag, let content): ElementTree.element(tag, content)
        case .branch(let tag, let children): ElementTree.element(tag, children.flatMap(\.encoded))
        }
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        if content.count < 0x80 { return [tag, UInt8(content.count)] + content }
        var octets: [UInt8] = []
        var size = content.count
        while size > 0 {
            octets.insert(UInt8(truncatingIfNeeded: size), at: 0)
            size >>= 8
        }
        return [tag, 0x80 | UInt8(octets.count)] + octets + content
    }

    /// How many elements there are, this one included.
    var count: Int {
        switch self {
        case .leaf: 1
        case .branch(_, let children): children.reduce(1) { $0 + $1.count }
        }
    }

    /// The element that comes at this place when they are counted in order.
    subscript(index: Int) -> ElementTree? {
        if index == 0 { return self }
        guard case .branch(_, let children) = self else { return nil }
        var left = index - 1
        for child in children {
            if left < child.count { return child[left] }
            left -= child.count
        }
        return nil
    }

    /// The tree with other elements, perhaps none, in the place of one.
    func replacing(_ index: Int, by change: (ElementTree) -> [ElementTree]) -> [ElementTree] {
        if index == 0 { return change(self) }
        guard case .branch(let tag, let children) = self else { return [self] }
        var left = index - 1
        var changed: [ElementTree] = []
        for child in children {
            if left >= 0, left < child.count {
                changed += child.replacing(left, by: change)
            } else {
                changed.append(child)
            }
            left -= child.count
        }
        return [.branch(tag: tag, changed)]
    }
}
