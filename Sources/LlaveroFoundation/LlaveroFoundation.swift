// SPDX-License-Identifier: Apache-2.0

// Linux's Foundation is not built for library evolution, and a module that is (see Package.swift) gets a warning for each
// public import of it, in every build of every package. Here are the only ones, and here alone warnings are off.
@_exported public import Dispatch
@_exported public import Foundation
