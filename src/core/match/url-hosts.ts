import { plainName } from "./tool-inputs.ts";

/** The fields in which tools name a host or an address, with or without a scheme, as {@link plainName} spells them. */
const ADDRESS_FIELDS: ReadonlySet<string> = new Set([
  "url",
  "urls",
  "uri",
  "uris",
  "baseurl",
  "host",
  "hostname",
  "domain",
  "domains",
  "endpoint",
]);

const SCHEME_END = "://";
const URL_END = /[\s"'`<>|;()]/;
const LONGEST_URL = 2048;

/** The hosts an event's call names: of every URL in its input, wherever it stands. In the spelling of {@link canonicalHost}. */
export function domainsOf(event: Readonly<Record<string, unknown>>): readonly string[] {
  const hosts = new Set<string>();
  collect(event.tool_input, "", hosts);
  return [...hosts];
}

/** A host or a pattern over hosts as they are compared: lower case, without the dot at the end. */
export function canonicalHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

/** The hosts of the URLs in a text; looks at each character a bounded number of times. */
export function hostsIn(text: string): readonly string[] {
  const hosts: string[] = [];
  for (let at = text.indexOf(SCHEME_END); at !== -1; at = text.indexOf(SCHEME_END, at + SCHEME_END.length)) {
    const rest = text.slice(at, at + LONGEST_URL);
    const stop = rest.search(URL_END);
    // The scheme does not matter for the host, and parsing as http also reads 0x7f.1 and the like as an address.
    hosts.push(...hostOf(`http${stop === -1 ? rest : rest.slice(0, stop)}`));
  }
  return hosts;
}

function collect(value: unknown, field: string, hosts: Set<string>): void {
  if (typeof value === "string") {
    for (const host of hostsIn(value)) hosts.add(host);
    for (const host of wholeAddress(value, field)) hosts.add(host);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) collect(item, Array.isArray(value) ? field : key, hosts);
  }
}

/** A text that is an address as a whole is read as a browser reads it: `https:\\x`, `https:x`, `//x`, and `x/path` in a field for it. */
function wholeAddress(text: string, field: string): readonly string[] {
  const address = text.trim().slice(0, LONGEST_URL);
  if (/^https?:/i.test(address)) return hostOf(address);
  if (address.startsWith("//")) return hostOf(`http:${address}`);
  return ADDRESS_FIELDS.has(plainName(field)) && !/^[a-z][a-z0-9+.-]*:\/\//i.test(address)
    ? hostOf(`http://${address}`)
    : [];
}

function hostOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const host = canonicalHost(new URL(url).hostname);
  return host === "" ? [] : [host];
}
