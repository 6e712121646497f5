// SPDX-License-Identifier: Apache-2.0

/// The names of rows that others refer to.
enum RowName {
    static let find = "find, the call alone"
    static let appFind = "find as an app writes it"
    static let add = "add, durable"
    static let update = "update, durable (limit: its add)"
    static let delete = "delete, durable"
    static let list = "list all attributes, per item"
}
