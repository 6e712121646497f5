// SPDX-License-Identifier: Apache-2.0

import KeychainRequest
import KeychainSync
import TestSeed

/// A server that does what it is asked, as the devices of a simulation see it.
protocol SimulatedServer: AnyObject {
    /// Takes a circle that is new.
    func take(_ circle: CircleID) throws
    /// A device's way to it.
    func way(of device: DeviceID) throws -> any CircleTransport
    /// The same way, which breaks on the way there or back of the next request.
    func breakingWay(of device: DeviceID, _ cut: CutServer.Cut, _ random: inout Seed) throws -> any CircleTransport
    /// The way of one who may insert, and is nobody.
    var outsider: any CircleTransport { get throws }
    /// The process of a device has ended, and its connection with it.
    func leave(_ device: DeviceID)
    func newest(_ chain: CircleChain) throws -> UInt64
    /// All bodies of the circle that were put there.
    var inserted: [[UInt8]] { get throws }
}

extension MemoryServer: SimulatedServer {
    func take(_ circle: CircleID) {}
    func way(of device: DeviceID) -> any CircleTransport { self }
    func breakingWay(of device: DeviceID, _ cut: CutServer.Cut, _ random: inout Seed) -> any CircleTransport {
        CutServer(server: self, cut: cut)
    }
    var outsider: any CircleTransport { self }
    func leave(_ device: DeviceID) {}
    func newest(_ chain: CircleChain) -> UInt64 { tables.newest(chain) }
    var inserted: [[UInt8]] { tables.inserted }
}

/// A server that goes away before it did what it was asked, or after.
struct CutServer: CircleTransport {
    enum Cut {
        case before, after
    }

    let server: MemoryServer
    let cut: Cut

    func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
        if cut == .after { _ = try server.perform(request) }
        throw .unreachable("cut off")
    }
}

/// A server that takes what it is given but for the shares, and says that it took all.
struct ServerWithoutShares: CircleTransport {
    let server: MemoryServer

    func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
        guard case .insert(var insertion) = request else { return try server.perform(request) }
        insertion.shares = []
        return try server.perform(.insert(insertion))
    }
}
