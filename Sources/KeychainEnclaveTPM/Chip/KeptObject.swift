// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import KeychainCrypto

    /// An object of a TPM's as it is kept outside: its public area, and a private one that only the TPM can read.
    struct KeptObject: Sendable, Equatable {
        /// TPM2B_PUBLIC and TPM2B_PRIVATE as the TPM's own encoding has them.
        let bytes: [UInt8]

        /// The two structures; each begins with its size, and nothing may be left over.
        func parts() throws(Refusal) -> (publicArea: [UInt8], privateArea: [UInt8]) {
            let first = try part(at: 0)
            let second = try part(at: first.count)
            guard first.count + second.count == bytes.count else { throw .malformed }
            return (first, second)
        }

        private func part(at start: Int) throws(Refusal) -> [UInt8] {
            guard bytes.count >= start + 2 else { throw .malformed }
            let end = start + 2 + (Int(bytes[start]) << 8 | Int(bytes[start + 1]))
            guard bytes.count >= end else { throw .malformed }
            return Array(bytes[start..<end])
        }
    }

    extension Chip {
        func kept(
            _ publicArea: UnsafePointer<TPM2B_PUBLIC>, _ privateArea: UnsafePointer<TPM2B_PRIVATE>
        ) throws(Refusal) -> KeptObject {
            var end = 0
            let count = MemoryLayout<TPM2B_PRIVATE>.size
            let hidden = try unsafe [UInt8](count: count) { (buffer) throws(Refusal) in
                let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                try unsafe check(functions.pointee.Tss2_MU_TPM2B_PRIVATE_Marshal(privateArea, start, count, &end))
            }
            return try unsafe KeptObject(bytes: encoding(of: publicArea) + hidden.prefix(end))
        }

        /// Both areas of an object, when the public one is `template` with a `unique` of the object's own.
        func areas(
            of object: KeptObject, like template: TPM2B_PUBLIC
        ) throws(Refusal) -> (publicArea: TPM2B_PUBLIC, privateArea: TPM2B_PRIVATE) {
            let (first, second) = try object.parts()
            var publicArea = TPM2B_PUBLIC()
            var privateArea = TPM2B_PRIVATE()
            var (firstEnd, secondEnd) = (0, 0)
            let functions = unsafe self.functions.pointee
            try unsafe check(functions.Tss2_MU_TPM2B_PUBLIC_Unmarshal(first, first.count, &firstEnd, &publicArea))
            try unsafe check(functions.Tss2_MU_TPM2B_PRIVATE_Unmarshal(second, second.count, &secondEnd, &privateArea))
            guard firstEnd == first.count, secondEnd == second.count else { throw .malformed }
            // The TPM will find out whether the areas belong together. That the object does what we take it to do, and
            // nothing else, is ours to find out: anybody can make others under the same storage key.
            var (plain, expected) = (publicArea, template)
            plain.publicArea.unique = template.publicArea.unique
            guard try unsafe encoding(of: &publicArea) == first,
                try unsafe encoding(of: &plain) == encoding(of: &expected)
            else { throw .malformed }
            return (publicArea, privateArea)
        }

        private func encoding(of publicArea: UnsafePointer<TPM2B_PUBLIC>) throws(Refusal) -> [UInt8] {
            var end = 0
            let count = MemoryLayout<TPM2B_PUBLIC>.size
            let bytes = try unsafe [UInt8](count: count) { (buffer) throws(Refusal) in
                let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                try unsafe check(functions.pointee.Tss2_MU_TPM2B_PUBLIC_Marshal(publicArea, start, count, &end))
            }
            return Array(bytes.prefix(end))
        }
    }
#endif
