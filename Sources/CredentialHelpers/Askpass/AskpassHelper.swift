// SPDX-License-Identifier: Apache-2.0
enum AskpassHelper { static func main(_ words: ArraySlice<String>) -> Int32 { 1 } }
