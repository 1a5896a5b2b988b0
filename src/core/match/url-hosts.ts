import { isAddressField } from "./tool-inputs.ts";

const SCHEME_END = "://";
const URL_END = /[\s"'`<>|;()]/;
const LONGEST_URL = 2048;

/** The hosts of all URLs in an event's tool input, as {@link canonicalHost} spells them. */
export function domainsOf(event: Readonly<Record<string, unknown>>): readonly string[] {
  const hosts = new Set<string>();
  collect(event.tool_input, "", hosts);
  return [...hosts];
}

/** A host or a pattern over hosts as they are compared: lower case, without the dot at the end. */
export function canonicalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

/** The hosts of the URLs in a string. Reads each character a bounded number of times. */
export function hostsIn(text: string): readonly string[] {
  const hosts: string[] = [];
  for (let at = text.indexOf(SCHEME_END); at !== -1; at = text.indexOf(SCHEME_END, at + SCHEME_END.length)) {
    const rest = text.slice(at, at + LONGEST_URL);
    const stop = rest.search(URL_END);
    // The scheme does not matter for the host, and parsing as http also reads 0x7f.1 and the like as an address.
    const host = hostOf(`http${stop === -1 ? rest : rest.slice(0, stop)}`);
    if (host !== undefined) hosts.push(host);
  }
  return hosts;
}

function collect(value: unknown, field: string, hosts: Set<string>): void {
  if (typeof value === "string") {
    for (const host of hostsIn(value)) hosts.add(host);
    const host = hostOfWhole(value, field);
    if (host !== undefined) hosts.add(host);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) collect(item, Array.isArray(value) ? field : key, hosts);
  }
}

/** A text that is an address as a whole is read as a browser reads it: `https:\\x`, `https:x`, `//x`, and `x/path` in a field for it. */
function hostOfWhole(text: string, field: string): string | undefined {
  const address = text.trim().slice(0, LONGEST_URL);
  if (/^https?:/i.test(address)) return hostOf(address);
  if (address.startsWith("//")) return hostOf(`http:${address}`);
  const isAddress = isAddressField(field) && !HAS_SCHEME.test(address);
  return isAddress ? hostOf(`http://${address}`) : undefined;
}

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** The host of an address as {@link canonicalHost} spells it. An address without a scheme is read as https. */
export function hostOf(address: string): string | undefined {
  const readings = HAS_SCHEME.test(address) ? [address] : [address, `https://${address}`];
  for (const reading of readings) {
    const host = URL.canParse(reading) ? canonicalHost(new URL(reading).hostname) : "";
    if (host !== "") return host;
  }
  return undefined;
}
