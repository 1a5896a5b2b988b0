import { resolve } from "node:path";
import type { ImportedIntegration } from "../../../../adapters/integration.ts";
import { errorMessage } from "../../../../core/base/error-text.ts";
import { TenterhookError } from "../../../../core/base/errors.ts";
import { isRecord } from "../../../../core/base/json.ts";
import { readSettings } from "../../../../install/settings-files.ts";
import { mayGoOn } from "../../../command-line/ask-line.ts";
import { type Invocation, type Outcome, textOption } from "../../../command-line/command.ts";
import type { Block } from "../../../command-line/screen/report.ts";
import {
  counted,
  cut,
  dim,
  green,
  harmlessName,
  padded,
  red,
  yellow,
} from "../../../command-line/screen/text.ts";
import { type ComparedHook, compareHooks, type Effects, type Trial } from "./check.ts";
import { samplePayloads } from "./samples.ts";
import type { ReportedHook } from "./show.ts";

type Payload = Readonly<Record<string, unknown>>;

/** `import --check`: runs the originals and the imported hooks, and shows what differs. 1 when something does. */
export async function runCheck(
  integration: ImportedIntegration,
  reported: readonly ReportedHook[],
  root: string,
  invocation: Invocation,
): Promise<Outcome> {
  const recorded = recordedEvents(invocation);
  const isNamed = (event: string, { hook_event_name }: Payload) => hook_event_name === event;
  const { sends: isSent = isNamed } = integration.importing.compared;
  const hooks = reported.filter(({ definition }) => definition !== undefined);
  const trials = hooks.filter(isCompared).map(
    (hook): Trial => ({
      hook,
      payloads:
        recorded?.filter((payload) => isSent(hook.original.event, payload)) ??
        samplePayloads(integration, hook, root),
    }),
  );
  const events = trials.reduce((sum, { payloads }) => sum + payloads.length, 0);
  const what = `Run ${counted(trials.length, "command")} of these hooks on ${counted(events, "event")}, each as ${integration.table.title} and as Tenterhook would? They really run.`;
  if (events > 0 && !(await mayGoOn(what, invocation))) return 1;
  const compared = await compareHooks(integration, trials, root, invocation);
  const skipped = hooks.filter((hook) => !isCompared(hook)).map(({ name }) => name);
  const different = compared
    .flatMap(({ comparisons }) => comparisons)
    .filter(({ differs }) => differs.length > 0).length;
  return {
    json: { compared, skipped, different },
    blocks: checkBlock({ integration, compared, skipped, events, different }),
    code: different === 0 ? 0 : 1,
  };
}

/** Only commands that the agent waits for can be run here as the agent runs them. */
function isCompared({ definition }: ReportedHook): boolean {
  return definition?.type === "command" && definition.async !== true;
}

/** The events of a file: one JSON object a line. */
function recordedEvents(invocation: Invocation): readonly Payload[] | undefined {
  const named = textOption(invocation, "events");
  if (named === undefined) return undefined;
  const file = resolve(invocation.cwd, named);
  const text = readSettings(file);
  if (text === undefined) throw new TenterhookError("settings_unreadable", `There is no file ${file}.`);
  return text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    try {
      const payload: unknown = JSON.parse(line);
      if (isRecord(payload)) return [payload];
      throw new Error("it is not an object");
    } catch (error) {
      throw new TenterhookError(
        "invalid_event",
        `${file}:${at + 1} is not a payload: ${errorMessage(error)}. A file of events has one JSON object a line.`,
      );
    }
  });
}

interface Checked {
  readonly integration: ImportedIntegration;
  readonly compared: readonly ComparedHook[];
  readonly skipped: readonly string[];
  readonly events: number;
  readonly different: number;
}

function checkBlock({ integration, compared, skipped, events, different }: Checked): Block {
  const { adapter, table } = integration;
  return [
    compared.map(({ name, about, comparisons }) => [
      `${harmlessName(name)}  ${dim(harmlessName(about))}`,
      comparisons.length === 0 && dim("  no event of its kind"),
      comparisons.map(({ payload, original, imported, differs }) => {
        const mark = differs.length === 0 ? green("same   ") : red("differs");
        const title = padded(cut(harmlessName(titleOf(integration, payload)), 44), 44);
        return [
          `  ${mark}  ${title}  ${dim(verdictOf(original))}`,
          differs.flatMap((key) => {
            const [there, here] = [original, imported].map((one) => {
              return harmlessName(cut(String(Reflect.get(one, key) ?? "nothing"), 200));
            });
            return [
              yellow(`           ${key}: ${there}`),
              yellow(`           ${" ".repeat(key.length - 4)}here: ${here}`),
            ];
          }),
        ];
      }),
    ]),
    skipped.length > 0 && dim(`Not compared, since only commands are run here: ${skipped.join(", ")}.`),
    "",
    different === 0
      ? green(`${counted(events, "event")} compared: the same.`)
      : red(`${counted(events, "event")} compared: ${different} differ${different === 1 ? "s" : ""}.`),
    dim(
      `Tenterhook has read both replies. What ${table.title} reads differently: tenterhook import ${adapter.name} --dry-run`,
    ),
  ];
}

function titleOf({ adapter }: ImportedIntegration, payload: Payload): string {
  const { hook_event_name, tool_name, tool_input, prompt, source }: Payload = adapter.decode(payload);
  const input = isRecord(tool_input) ? Object.values(tool_input)[0] : undefined;
  const about = [tool_name, input, prompt, source].filter((one) => typeof one === "string");
  return about.length === 0 ? String(hook_event_name) : about.join(" ");
}

function verdictOf({ verdict, context, input, output, ends }: Effects): string {
  const other = [context && "context", input && "rewrites", output && "rewrites", ends && "ends the run"];
  return [verdict, ...other].filter((one) => one !== undefined && one !== "").join(", ") || "continues";
}
