import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Networks outside the public internet: this machine, private networks and reserved ranges. */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 128],
  ["::1", 128],
  // IPv6 addresses that carry an IPv4 address.
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["2002::", 16],
  ["100::", 64],
  ["2001:db8::", 32],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

/** One list per kind: in a common list an IPv4 address would also match the IPv6 address that carries it. */
const LISTS = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix] of NOT_PUBLIC) {
  const kind = network.includes(":") ? "ipv6" : "ipv4";
  LISTS[kind].addSubnet(network, prefix, kind);
}

/** True for an address of the public internet; false for anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  // An address with a zone (`fe80::1%eth0`) belongs to the local link.
  if (version === 0 || address.includes("%")) return false;
  const kind = version === 6 ? "ipv6" : "ipv4";
  return !LISTS[kind].check(address, kind);
}

/** The host has no address that we may connect to. */
export class AddressRefusedError extends Error {}

/**
 * A DNS lookup that returns public addresses only, so that the address that was checked is the one we connect to.
 * Calls back with AddressRefusedError when no address is left.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, "", 0);
      return;
    }
    const allowed = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = allowed;
    if (first === undefined) callback(new AddressRefusedError(hostname), "", 0);
    else if (options.all === true) callback(null, allowed);
    else callback(null, first.address, first.family);
  });
};
