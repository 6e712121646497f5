// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// One searchable column of an item table.
package struct Column: Sendable {
    /// What a column shows of its attribute.
    package enum Storage: Sendable {
        /// A keyed hash: equal values can be found, and nothing else can be told.
        case hashed
        /// The value itself, without type affinity: "080" stays text.
        case clear
        /// A date as a real number.
        case date
    }

    package let attribute: Attribute
    package let storage: Storage
    /// The value that stands for "not given" in a unique key; nil for columns outside it, which may be NULL.
    package let absent: AttributeValue?

    package var name: String { attribute.key }

    var declaration: String {
        switch (storage, absent) {
        case (.hashed, nil): "\(name) blob"
        case (.hashed, _?): "\(name) blob not null default x''"
        case (.date, nil): "\(name) real"
        case (.date, _?): "\(name) real not null default 0"
        case (.clear, nil): name
        case (.clear, _?): "\(name) not null default 0"
        }
    }
}

extension Column.Storage {
    /// How an attribute is kept (semantics §2.2).
    init(of attribute: Attribute) {
        switch attribute {
        case .creationDate, .modificationDate, .startDate, .endDate: self = .date
        case .label, .itemDescription, .comment, .alias, .protected, .generic, .account, .service, .securityDomain,
            .server, .authenticationType, .path, .subject, .issuer, .serialNumber, .subjectKeyID, .keyClass,
            .applicationTag, .applicationLabel, .publicKeyHash:
            self = .hashed
        default: self = .clear
        }
    }
}
