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
}
