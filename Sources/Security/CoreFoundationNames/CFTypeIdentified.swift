// SPDX-License-Identifier: Apache-2.0

/// A class of this module that ``CFGetTypeID(_:)`` knows; Foundation's classes have the numbers below 100.
protocol CFTypeIdentified: AnyObject {
    static var typeID: CFTypeID { get }
}
