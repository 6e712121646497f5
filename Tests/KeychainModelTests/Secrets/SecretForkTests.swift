// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import KeychainModel
import KeychainSystem
import Testing

/// What a forked child sees.
///
/// The child does little and leaves by _exit: it has one thread of a test run's many.
@Suite(.serialized) struct SecretForkTests {
    private func secret(_ bytes: [UInt8]) -> SecretBytes {
        SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    @Test("a child finds its parent's secrets abandoned, small and large, and can make its own")
    func abandoned() {
        let key = secret([1, 2, 3])
        let large = secret(Array(repeating: 9, count: 5000))
        let epoch = llv_fork_epoch()
        let result = inChild {
            guard llv_fork_epoch() == epoch + 1 else { return 1 }
            guard key.isAbandoned, large.isAbandoned else { return 2 }
            guard key.withUnsafeBytes({ $0.count }) == 0, large.withUnsafeBytes({ $0.count }) == 0 else { return 3 }
            guard key.isAllZero, !key.isEqualInConstantTime(to: key), key.clone().count == 0 else { return 4 }
            let own = secret([4, 5, 6])
            guard !own.isAbandoned, own.withUnsafeBytes({ Array($0) }) == [4, 5, 6] else { return 5 }
            return 0
        }
        #expect(result == 0)
        #expect(llv_fork_epoch() == epoch)
        let bytes = key.withUnsafeBytes { Array($0) }
        #expect(bytes == [1, 2, 3])
    }

    @Test("a child that frees its parent's secret leaves the parent's untouched")
    func freeing() {
        let arena = SecretArena(capacity: 4096)
        let slot = arena.allocate(16)
        slot.start.initializeMemory(as: UInt8.self, repeating: 0x42, count: 16)
        let result = inChild {
            arena.free(slot, count: 16)
            return arena.allocate(16).isInArena ? 0 : 1
        }
        #expect(result == 0)
        #expect(UnsafeRawBufferPointer(start: slot.start, count: 16).allSatisfy { $0 == 0x42 })
        arena.free(slot, count: 16)
    }

    @Test("a caller's own copy survives a fork")
    func value() {
        let value = ([7, 8, 9] as [UInt8]).withUnsafeBytes { SecretValue(copying: $0) }
        let sum = value.withUnsafeBytes { $0.reduce(0) { $0 + Int32($1) } }
        #expect(inChild { value.withUnsafeBytes { $0.reduce(0) { $0 + Int32($1) } } } == sum)
    }

    @Test("fork waits for another thread's operation to end")
    func waits() {
        final class Progress: Sendable {
            let isInside = ForkSafeMutex(false)
            let isDone = ForkSafeMutex(false)
        }
        let progress = Progress()
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let progress = Unmanaged<Progress>.fromOpaque(context).takeRetainedValue()
                llv_operation_enter()
                progress.isInside.withLock { $0 = true }
                // Long enough for the fork to come in between, if it could.
                for _ in 0..<300_000 { progress.isDone.withLock { $0 = false } }
                progress.isDone.withLock { $0 = true }
                llv_operation_leave()
                return nil
            }, Unmanaged.passRetained(progress).toOpaque())
        while !progress.isInside.withLock({ $0 }) { sched_yield() }
        #expect(inChild { progress.isDone.withLock { $0 } ? 0 : 1 } == 0)
        pthread_join(thread, nil)
    }

    @Test("a thread may fork inside its own operation, and the child leave it")
    func gate() {
        llv_operation_enter()
        llv_operation_enter()
        let result = inChild {
            llv_operation_leave()
            llv_operation_leave()
            llv_operation_enter()
            llv_operation_leave()
            return 0
        }
        llv_operation_leave()
        llv_operation_leave()
        #expect(result == 0)
    }

    @Test(
        "a child forked while threads use secrets can use secrets itself, also from several threads",
        .disabled(if: dlsym(nil, "__tsan_init") != nil, "ThreadSanitizer lets no forked child start threads"))
    func busyParent() {
        let stop = ForkSafeMutex(false)
        var threads: [pthread_t] = []
        for _ in 0..<3 {
            var thread = pthread_t()
            let context = Unmanaged.passRetained(stop).toOpaque()
            pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    let stop = Unmanaged<ForkSafeMutex<Bool>>.fromOpaque(context).takeRetainedValue()
                    while !stop.withLock({ $0 }) { _ = SecretBytes(count: 32) { _ in }.isAllZero }
                    return nil
                }, context)
            threads.append(thread)
        }
        for _ in 0..<50 {
            let result = inChild {
                var helper = pthread_t()
                pthread_create(
                    &helper, nil,
                    { _ in
                        for _ in 0..<200 { _ = SecretBytes(count: 32) { _ in }.isAllZero }
                        return nil
                    }, nil)
                for _ in 0..<200 { _ = SecretBytes(count: 32) { _ in }.isAllZero }
                pthread_join(helper, nil)
                return 0
            }
            #expect(result == 0)
        }
        stop.withLock { $0 = true }
        for thread in threads { pthread_join(thread, nil) }
    }
}
