import { isRecord } from "../../core/base/json.ts";
import { canonicalHost } from "../../core/match/url-hosts.ts";
import { readHost } from "../../rules/permissions/specifiers.ts";
import type { PermissionRule } from "./permission-rule.ts";

/**
 * A rule for hosts: `domain:example.com` is that host alone, `domain:*.example.com` every host below it. As a deny or
 * ask it is about every call that names or talks to such a host, `curl` included; as an allow about a fetch of a plain
 * http or https address there.
 *
 * @throws TenterhookError `bad_permission` for anything but one host.
 */
export function compileDomainRule(text: string, value: string): PermissionRule {
  const fits = compileHost(text, value);
  return {
    text,
    concerns: (judged) => {
      const hosts = judged.hosts();
      if (hosts.some((host) => fits(canonicalHost(host)))) return "yes";
      return judged.shell?.dynamic === true || hosts.some((host) => /[$*]/.test(host)) ? "maybe" : "no";
    },
    covers: (judged) => {
      if (judged.tool !== "WebFetch" || !isPlainAddress(judged.call.tool_input)) return false;
      const hosts = judged.hosts();
      return hosts.length > 0 && hosts.every(fits);
    },
  };
}

function compileHost(text: string, value: string): (host: string) => boolean {
  const { host, below } = readHost(text, value);
  return below ? (other) => other.endsWith(`.${host}`) : (other) => other === host;
}

/** True for an input with an http or https address that hides nothing: no user, no dot at the end of the host. */
function isPlainAddress(input: unknown): boolean {
  const address = isRecord(input) ? input.url : undefined;
  if (typeof address !== "string" || !URL.canParse(address)) return false;
  const { protocol, username, password, hostname } = new URL(address);
  return /^https?:$/.test(protocol) && username === "" && password === "" && !hostname.endsWith(".");
}
