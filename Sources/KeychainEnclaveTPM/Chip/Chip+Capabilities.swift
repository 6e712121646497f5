// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2

    extension Chip {
        /// The handles in use from `first` on, of the same kind.
        func handles(from first: UInt32) throws(Refusal) -> [UInt32] {
            try capability(llv_capability_handles, from: first) { (data) throws(Refusal) in
                try unsafe values(of: data.handles.handle, count: data.handles.count) as [UInt32]
            }
        }

        /// Numbers a TPM tells of itself, by property, from `first` on.
        func properties(from first: UInt32) throws(Refusal) -> [UInt32: UInt32] {
            let pairs = try capability(llv_capability_properties, from: first) { (data) throws(Refusal) in
                try unsafe values(of: data.tpmProperties.tpmProperty, count: data.tpmProperties.count)
                    as [TPMS_TAGGED_PROPERTY]
            }
            return Dictionary(pairs.map { ($0.property, $0.value) }) { first, _ in first }
        }

        private func capability<Result>(
            _ capability: TPM2_CAP, from first: UInt32, _ body: (TPMU_CAPABILITIES) throws(Refusal) -> Result
        ) throws(Refusal) -> Result {
            var answer: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
            defer { unsafe free(answer) }
            var hasMore: TPMI_YES_NO = 0
            try unsafe check(
                functions.pointee.Esys_GetCapability(
                    context, llv_tr_none, llv_tr_none, llv_tr_none, capability, first, 64, &hasMore, &answer))
            guard let answer = unsafe answer, unsafe answer.pointee.capability == capability else { throw .malformed }
            return try unsafe body(answer.pointee.data)
        }

        private func values<Array, Value>(of array: Array, count: UInt32) throws(Refusal) -> [Value] {
            guard Int(count) <= MemoryLayout<Array>.size / MemoryLayout<Value>.stride else { throw .malformed }
            return unsafe withUnsafeBytes(of: array) { bytes in
                (0..<Int(count)).map {
                    unsafe bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Value>.stride, as: Value.self)
                }
            }
        }
    }
#endif
