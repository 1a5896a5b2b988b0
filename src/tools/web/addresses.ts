import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Networks that are not the public internet: this machine, its neighbours, and what is reserved. */
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
  // Addresses that carry an address of the other kind; nobody needs them here.
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

/** One list for each kind: in a common one an IPv4 address also counts as the IPv6 address that carries it. */
const lists = new Map<"ipv4" | "ipv6", BlockList>();

function listOf(kind: "ipv4" | "ipv6"): BlockList {
  const known = lists.get(kind);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const [network, prefix] of NOT_PUBLIC) {
    if (network.includes(":") === (kind === "ipv6")) list.addSubnet(network, prefix, kind);
  }
  lists.set(kind, list);
  return list;
}

/** True for an address of the public internet. Anything that is no address is none. */
export function isPublicAddress(address: string): boolean {
  const kind = { 4: "ipv4", 6: "ipv6" } as const;
  const version = isIP(address);
  // An address with a zone (`fe80::1%eth0`) is one of this link.
  if ((version !== 4 && version !== 6) || address.includes("%")) return false;
  return !listOf(kind[version]).check(address, kind[version]);
}

/** A host has no address that may be reached. */
export class AddressRefusedError extends Error {}

/**
 * Looks up names and answers public addresses only, so that what was looked at is what is connected to.
 *
 * @throws AddressRefusedError, through its callback, when there is none.
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
