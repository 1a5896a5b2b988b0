import type { Integration, SettingsPlaces } from "../../../../adapters/integration.ts";
import { lastLoaded } from "../../../../hook/last-gate.ts";
import type { Finding } from "../../../../install/finding.ts";
import { isOlder } from "../../../../install/found-agents.ts";
import { installationOf } from "../../../../install/installation.ts";
import { seatFolder, staleFiles } from "../../../../install/seat.ts";
import { orElse } from "../../../../install/settings-files.ts";
import { shortPath } from "../../../command-line/screen/text.ts";
import { actingMods } from "../../../integrations/lift-text.ts";

/**
 * Whether the agent loads our plug-in before all others, as far as settings and what it reported say. No agent is started.
 * Never throws.
 */
export function lastGateFindings(
  integration: Integration,
  places: SettingsPlaces,
  version: string | undefined,
  allowed: readonly string[],
  cwd: string,
): readonly Finding[] {
  const { lastGate, adapter, table } = integration;
  if (lastGate === undefined) return [];
  const { name: about } = adapter;
  const say = (level: Finding["level"], message: string): readonly Finding[] => [{ level, about, message }];
  const called = installationOf(integration, places)
    .installed.filter(
      ({ place, events }) => place !== "project" && place !== "local" && events.includes(lastGate.event),
    )
    .toReversed();
  const seated = called.find(({ text }) => orElse(undefined, () => lastGate.folderIn(text)) !== undefined);
  const [first] = called;
  if (first === undefined) return [];
  const path = shortPath(first.file, cwd);
  const mend =
    first.isManaged === true ? `sudo tenterhook install ${about} --managed` : "tenterhook install --sync";
  if (seated === undefined) {
    const overruled = first.isManaged === true ? undefined : lastGate.overruledBy();
    if (overruled !== undefined) return say("note", lastGate.without.replace(/: .*$/, "."));
    return say("warning", `${path} does not put our plug-in first, so others can lift a refusal: ${mend}.`);
  }
  const folder = seatFolder(integration, seated, places.environment);
  if (
    lastGate.folderIn(seated.text) !== folder ||
    staleFiles(integration, seated, places.environment).length > 0
  )
    return say(
      "error",
      `Our plug-in in ${shortPath(folder, cwd)} is missing or not of this version: ${mend}.`,
    );
  const acting = actingMods(integration, places, allowed, cwd).flatMap(({ isLeftOut, text }) =>
    say(isLeftOut ? "warning" : "note", text),
  );
  const open =
    seated.isManaged === true
      ? ""
      : ` ${lastGate.leftOutBy}; sudo tenterhook install ${about} --managed puts it where nothing does.`;
  const { environment } = places;
  const isSlow =
    seated.isManaged === true
      ? environment.XDG_STATE_HOME !== undefined && "XDG_STATE_HOME"
      : environment.TENTERHOOK_DAEMON === "0" && "TENTERHOOK_DAEMON=0";
  return [
    ...acting,
    ...(isSlow === false
      ? []
      : say("note", `With ${isSlow} our plug-in finds no daemon, and starts our program for each call.`)),
    ...say(
      ...loadedText(table.title, version, { since: lastGate.since, open, environment: { ...environment } }),
    ),
  ];
}

interface Seated {
  /** The oldest version that loads our plug-in. */
  readonly since: string;
  /** What leaves it out all the same. */
  readonly open: string;
  readonly environment: NodeJS.ProcessEnv;
}

function loadedText(
  title: string,
  version: string | undefined,
  { since, open, environment }: Seated,
): [level: Finding["level"], message: string] {
  if (version !== undefined && isOlder(version, since))
    return [
      "warning",
      `${title} ${version} does not load our plug-in, so others can lift a refusal: ${since} does.`,
    ];
  const loaded = lastLoaded(environment);
  if (loaded === undefined)
    return ["note", `${title} has not loaded our plug-in yet; it reports here when it does.`];
  const text = `${title} ${loaded.version} loaded our plug-in on ${loaded.time.slice(0, 10)}.${open}`;
  return version === undefined || version === loaded.version
    ? ["ok", text]
    : ["note", `${text} ${version} has not yet.`];
}
