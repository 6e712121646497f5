// SPDX-License-Identifier: Apache-2.0

/// An algorithm and its parameters.
internal struct AlgorithmIdentifier: Sendable {
    let identifier: ObjectIdentifier
    let parameters: DERValue?

    init?(_ value: DERValue) {
        guard value.tag == DERTag.sequence, let parts = value.elements, (1...2).contains(parts.count),
            let identifier = ObjectIdentifier(parts[0])
        else { return nil }
        self.identifier = identifier
        parameters = parts.count == 2 ? parts[1] : nil
    }

    /// Whether both are one algorithm: equal, or apart by a NULL that one of them has for parameters.
    ///
    /// To write it and to leave it out are both common, and mean the same.
    func isSame(as other: AlgorithmIdentifier) -> Bool {
        identifier == other.identifier
            && (parameters?.encoding == other.parameters?.encoding || hasNoParameters && other.hasNoParameters)
    }

    private var hasNoParameters: Bool { parameters.map { $0.tag == DERTag.null && $0.content.isEmpty } ?? true }
}
