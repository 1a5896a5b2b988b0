import { useState } from "preact/hooks";
import type { HookView, RanHook } from "../../monitor/dashboard/wire.ts";
import { ask } from "../net/ask.ts";
import { useLive, useMay } from "../net/live.ts";
import { goWords, useRoute } from "../net/route.ts";
import { useHooks } from "../net/use-hooks.ts";
import { ProjectSelect } from "../parts/choose.tsx";
import { count, folder, milliseconds, plural } from "../parts/format.ts";
import { Empty, Failed, Loading } from "../parts/states.tsx";
import { Editor } from "./editor.tsx";

export function Hooks() {
  const { words } = useRoute();
  const project = words.get("project") ?? undefined;
  const name = words.get("hook") ?? undefined;
  const isNew = words.get("new") === "1";
  const [saves, setSaves] = useState(0);
  const mayChange = useMay("change_hooks");
  const { overview } = useLive();
  const { reply, problem, again } = useHooks(project, saves);
  if (problem !== undefined) return <Failed problem={problem} again={again} title="Hooks" />;
  if (reply === undefined) return <Loading what="hooks" title="Hooks" />;
  const { hooks, projects } = reply;
  // A team's page has those of the machine that serves it.
  const place = overview?.token === undefined ? "" : ` on ${overview.machine}`;
  const files = new Set(hooks.flatMap(({ file }) => file ?? []));
  return (
    <>
      <div class="head">
        <h1>Hooks</h1>
        <span class="muted">
          {hooks.length === 0
            ? ""
            : `${hooks.length} for ${folder(reply.project)}${place}, from ${plural(files.size, "file")}`}
        </span>
        <div class="right">
          {projects.length > 0 && (
            <ProjectSelect
              projects={projects}
              value={reply.project}
              onChange={(project) => goWords({ project, hook: undefined, new: undefined })}
            />
          )}
          {projects.length > 0 && mayChange && (
            <button type="button" class="btn" onClick={() => goWords({ hook: undefined, new: "1" })}>
              Add a rule
            </button>
          )}
        </div>
      </div>
      {projects.length === 0 ? (
        <section class="card">
          <Empty title={`No project yet${place}`}>
            The hooks of a project appear here once an agent has worked in it{place}.{" "}
            <code>tenterhook init</code> writes a first configuration.
          </Empty>
        </section>
      ) : (
        <>
          <p class="muted">{reply.guard}</p>
          {(name !== undefined || isNew) && mayChange && (
            <Editor
              key={`${reply.project} ${name ?? ""}`}
              project={reply.project}
              name={name}
              onSaved={(saved) => {
                setSaves((number) => number + 1);
                goWords({ hook: saved, new: undefined });
              }}
              onClose={() => goWords({ hook: undefined, new: undefined })}
            />
          )}
          <section class="card scroll">
            {hooks.length === 0 ? (
              <Empty title="No hooks here">
                <code>tenterhook init</code> writes a first configuration
                {mayChange && ", and “Add a rule” adds one"}.
              </Empty>
            ) : (
              <Table
                project={reply.project}
                hooks={hooks}
                others={reply.others}
                chosen={name}
                mayChange={mayChange}
                onChanged={() => setSaves(saves + 1)}
              />
            )}
          </section>
        </>
      )}
    </>
  );
}

interface TableProps {
  readonly project: string;
  readonly hooks: readonly HookView[];
  readonly others: readonly RanHook[];
  readonly chosen: string | undefined;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

function Table({ project, hooks, others, chosen, mayChange, onChanged }: TableProps) {
  const [problem, setProblem] = useState("");
  const toggle = async ({ name, enabled }: HookView): Promise<void> => {
    setProblem("");
    try {
      await ask("hooks/enabled", { project, name, enabled: !enabled });
      onChanged();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      {problem !== "" && (
        <p class="stop problem" role="alert">
          {problem}
        </p>
      )}
      <table aria-label="Hooks">
        <thead>
          <tr>
            <th>Hook</th>
            <th class="wide">Event</th>
            <th class="wide">Kind</th>
            <th class="wide">From</th>
            <th>Mode</th>
            <th class="num wide">Runs</th>
            <th class="num">Stopped</th>
            <th class="num wide">Mean</th>
            <th class="num">In force</th>
          </tr>
        </thead>
        <tbody>
          {hooks.map((hook) => (
            <tr key={hook.name} class={hook.name === chosen ? "chosen" : hook.enabled ? "" : "off"}>
              <td>
                {mayChange ? (
                  <button
                    type="button"
                    class="open"
                    onClick={() => goWords({ hook: hook.name, new: undefined })}
                  >
                    {hook.name}
                  </button>
                ) : (
                  hook.name
                )}
              </td>
              <td class="muted wide">{hook.events.join(", ")}</td>
              <td class="muted wide">{hook.pack === undefined ? hook.type : `pack ${hook.pack}`}</td>
              <td class="muted wide mono">
                {hook.file === undefined ? hook.scope : `${folder(hook.file)}:${hook.line ?? 1}`}
              </td>
              <td>
                <Mode hook={hook} />
              </td>
              <Numbers hook={hook} />
              <td class="num">
                {mayChange ? (
                  <button
                    type="button"
                    class="switch"
                    role="switch"
                    aria-checked={hook.enabled}
                    aria-label={hook.name}
                    disabled={hook.scope === "managed"}
                    onClick={() => void toggle(hook)}
                  >
                    <i />
                  </button>
                ) : (
                  <span class={hook.enabled ? "" : "faint"}>{hook.enabled ? "yes" : "no"}</span>
                )}
              </td>
            </tr>
          ))}
          {others.map((hook) => (
            <tr key={hook.name} class="muted">
              <td>{hook.name}</td>
              <td class="wide" colSpan={3}>
                {hook.name.startsWith("tenterhook:") ? "Tenterhook's own" : "no longer here"}
              </td>
              <td />
              <Numbers hook={hook} />
              <td />
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Numbers({ hook }: { readonly hook: RanHook }) {
  return (
    <>
      <td class="num wide">{count(hook.runs)}</td>
      <td class="num">{stoppedBy(hook)}</td>
      <td class="num muted wide">{hook.runs === 0 ? "" : milliseconds(hook.mean_ms)}</td>
    </>
  );
}

function stoppedBy({ denials, asks, keep_goings, woulds, failures }: RanHook) {
  if (failures > 0) return <span class="stop">{count(failures)} failed</span>;
  if (woulds > 0) return `would ${count(woulds)}`;
  if (keep_goings > 0) return `${count(keep_goings)} sent on`;
  return denials + asks === 0 ? <span class="faint">0</span> : count(denials + asks);
}

function Mode({ hook: { scope, trusted, mode, problem, enabled } }: { readonly hook: HookView }) {
  if (!enabled) return <span class="tag">off</span>;
  if (problem !== undefined && trusted)
    return (
      <span class="tag deny" title={problem}>
        will fail
      </span>
    );
  if (!trusted) return <span class="tag ask">not trusted</span>;
  if (mode === "shadow") return <span class="tag shadow">shadow</span>;
  return scope === "managed" ? <span class="tag">managed</span> : null;
}
