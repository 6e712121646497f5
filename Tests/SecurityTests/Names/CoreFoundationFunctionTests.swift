// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct CoreFoundationFunctionTests {
    @Test("the parts of an error are those of the NSError")
    func errors() {
        let parts = ["key": "value", NSLocalizedDescriptionKey: "It failed."]
        let error = NSError(domain: "D", code: -50, userInfo: parts)
        #expect(CFErrorGetCode(error) == -50)
        #expect(CFErrorGetDomain(error) as String == "D")
        #expect(CFErrorCopyUserInfo(error)["key"] as? String == "value")
        #expect(CFErrorCopyDescription(error) as String == "It failed.")
        #expect(CFErrorGetCode(NSError()) == 0)
    }

    @Test("the bytes of data are read in place")
    func bytes() throws {
        let data = Data([7, 8, 9]) as CFData
        #expect(CFDataGetLength(data) == 3)
        let first = unsafe try #require(CFDataGetBytePtr(data))
        #expect(unsafe Array(UnsafeBufferPointer(start: first, count: 3)) == [7, 8, 9])
        #expect(CFDataGetLength(NSData()) == 0)
        #expect(unsafe CFDataGetBytePtr(NSData()) == nil)
    }

    @Test("data over the caller's bytes does not copy them, and leaves them alone with the null allocator")
    func borrowed() {
        let bytes: [UInt8] = [1, 2, 3]
        unsafe bytes.withUnsafeBufferPointer { buffer in
            let data = unsafe CFDataCreateWithBytesNoCopy(nil, buffer.baseAddress, buffer.count, kCFAllocatorNull)
            #expect(data == NSData(data: Data([1, 2, 3])))
            #expect(unsafe CFDataGetBytePtr(data) == buffer.baseAddress)
        }
        #expect(bytes == [1, 2, 3])
    }

    @Test("data takes over bytes from malloc")
    func owned() {
        let bytes = unsafe calloc(4, 1)
        let first = unsafe bytes?.assumingMemoryBound(to: UInt8.self)
        let data = unsafe CFDataCreateWithBytesNoCopy(kCFAllocatorDefault, first, 4, kCFAllocatorDefault)
        #expect(data == NSData(data: Data(count: 4)))
    }

    @Test("a negative length, or a length without bytes, makes no data")
    func refused() {
        #expect(CFDataCreateWithBytesNoCopy(nil, nil, -1, kCFAllocatorNull) == nil)
        #expect(CFDataCreateWithBytesNoCopy(nil, nil, 1, kCFAllocatorNull) == nil)
        #expect(CFDataCreateWithBytesNoCopy(nil, nil, 0, kCFAllocatorNull) == NSData())
    }
}
