import { type ShownToken, TOKEN_NAME } from "../../../../monitor/team/tokens.ts";
import { TOKEN_ROLES } from "../../../../shared/monitor/monitor.ts";
import { type CommandRun, type Invocation, textOption } from "../../../command-line/command.ts";
import { table } from "../../../command-line/screen/report.ts";
import type { Column } from "../../../command-line/screen/table.ts";
import { ago } from "../../../command-line/screen/text.ts";
import { neededLength } from "../../../command-line/times.ts";
import { usageError } from "../../../command-line/usage-error.ts";
import { connected } from "../daemon/connect.ts";

export async function create(invocation: Invocation): Promise<void> {
  const { screen, json } = invocation;
  const given = textOption(invocation, "role");
  const role = TOKEN_ROLES.find((one) => one === given);
  if (role === undefined)
    throw usageError("What may it do?", "Give --role reporter, --role person or --role viewer.");
  const name = textOption(invocation, "name");
  if (name !== undefined && !TOKEN_NAME.test(name))
    throw usageError(`--name: ${JSON.stringify(name)} is not a name.`, "Letters, digits, dots and dashes.");
  const expires_at = expiryOf(textOption(invocation, "expires"));
  const client = await connected(invocation);
  const { token: made, shown } = await client.createToken({
    role,
    name,
    expires_at,
  });
  if (json) return screen.json({ token: made, ...shown });
  screen.print(made);
  screen.tell(`A ${role}'s token, ${endOf(shown)}. It is not shown again.`);
}

function expiryOf(given: string | undefined): string | undefined {
  return given === undefined ? undefined : new Date(Date.now() + neededLength(given)).toISOString();
}

function endOf({ state, expires_at, revoked_at }: ShownToken): string {
  if (state === "revoked") return `revoked ${ago(revoked_at ?? "")}`;
  if (state === "expired") return `expired ${ago(expires_at ?? "")}`;
  return expires_at === undefined ? "valid until it is revoked" : `valid until ${expires_at.slice(0, 16)}Z`;
}

/** `tenterhook daemon token`: who may report to this machine's daemon, look at it and answer. */
export const run: CommandRun = async (invocation) => {
  const tokens = await (await connected(invocation)).tokens();
  const none = "There are no tokens. tenterhook daemon token create --role reporter makes one.";
  return { json: { tokens }, blocks: [tokens.length === 0 ? none : table(COLUMNS, tokens)] };
};

const COLUMNS: readonly Column<ShownToken>[] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "ROLE", cell: ({ role }) => role },
  { title: "FOR", cell: ({ name, machine }) => machine?.name ?? name ?? "" },
  { title: "USED", cell: usedOf },
  { title: "", cell: endOf },
];

/** Nobody notes when a page is used. */
function usedOf({ role, seen_at }: ShownToken): string {
  if (role === "page") return "";
  return seen_at === undefined ? "never" : ago(seen_at);
}

export const revoke: CommandRun = async (invocation) => {
  const [id = ""] = invocation.names;
  const revoked = await (await connected(invocation)).revokeToken(id);
  return {
    json: { revoked },
    blocks: [`The ${revoked.role}'s token ${revoked.id} is revoked. Whoever uses it is refused from now on.`],
  };
};
