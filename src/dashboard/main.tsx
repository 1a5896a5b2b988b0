import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Ability } from "../monitor/dashboard/wire.ts";
import { type Connection, connect, logIn, useLive } from "./net/live.ts";
import { go, useRoute } from "./net/route.ts";
import { LOGIN } from "./net/token.ts";
import { Frame, type NavigationItem } from "./parts/frame.tsx";
import { useKeys } from "./parts/keys.ts";
import { Empty } from "./parts/states.tsx";
import { Frozen, heldReport } from "./report.tsx";
import { Activity } from "./views/activity/activity.tsx";
import { Agents } from "./views/agents.tsx";
import { Hooks } from "./views/hooks.tsx";
import { Inbox } from "./views/inbox.tsx";
import { Replay } from "./views/replay/replay.tsx";
import { Session } from "./views/session.tsx";
import "./style/all.css";

const VIEWS: readonly (NavigationItem & { readonly needs?: Ability })[] = [
  { path: "/", name: "Agents", icon: "agents" },
  { path: "/inbox", name: "Inbox", icon: "inbox" },
  { path: "/activity", name: "Activity", icon: "activity" },
  { path: "/hooks", name: "Hooks", icon: "hooks" },
  { path: "/replay", name: "Replay", icon: "replay", needs: "replay" },
];

const KEYS: readonly (readonly [key: string, does: string, needs?: Ability])[] = [
  ["j k", "next and previous question"],
  ["1 … 9", "choose an option", "answer"],
  ["r", "answer in words, or revise a plan", "answer"],
  ["/", "filter agents"],
  ["g", "then a, i, c or h: Agents, Inbox, Activity, Hooks"],
  ["g p", "Replay", "replay"],
  ["?", "this list"],
];

const STATUS: Readonly<Record<Connection, string>> = {
  connecting: "Connecting",
  connected: "Connected",
  lost: "Reconnecting",
  out: "Logged out",
};

const GOING_MILLISECONDS = 1500;

function App() {
  const { path } = useRoute();
  const { connection, overview } = useLive();
  const help = useRef<HTMLDialogElement>(null);
  /** Runs while a letter after g means a view. */
  const going = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const endGoing = (): void => {
    clearTimeout(going.current);
    going.current = undefined;
  };
  const goTo = (to: string) => () => {
    if (going.current !== undefined) go(to);
    endGoing();
  };
  useKeys({
    "?": () => help.current?.showModal(),
    g: () => {
      endGoing();
      going.current = setTimeout(endGoing, GOING_MILLISECONDS);
    },
    a: goTo("/"),
    i: goTo("/inbox"),
    c: goTo("/activity"),
    h: goTo("/hooks"),
    p: goTo("/replay"),
  });
  const isOffered = (needs: Ability | undefined): boolean =>
    needs === undefined || overview === undefined || overview.may.includes(needs);
  const open = overview?.open.length ?? 0;
  const current = path.startsWith("/sessions/") ? "/" : path;
  useEffect(() => {
    const name = VIEWS.find((view) => view.path === current)?.name ?? "Tenterhook";
    document.title = `${open > 0 ? `(${open}) ` : ""}${name} · Tenterhook`;
  }, [open, current]);
  return (
    <Frame
      items={VIEWS.filter(({ needs }) => isOffered(needs)).map((view) =>
        view.path === "/inbox" ? { ...view, open } : view,
      )}
      current={current}
      foot={
        <>
          <span class={`live ${connection}`} role="status">
            {STATUS[connection]}
          </span>
          <span>{overview === undefined ? "" : `${overview.machine} · ${overview.version}`}</span>
          {overview?.token !== undefined && (
            <span>{[overview.token.name, overview.token.role].filter(Boolean).join(" · ")}</span>
          )}
          <button type="button" class="keys" onClick={() => help.current?.showModal()}>
            Keys <kbd>?</kbd>
          </button>
        </>
      }
    >
      <main>
        {connection === "lost" && (
          <p class="notice wait">The daemon does not answer. What you see is what was known before.</p>
        )}
        {overview?.problem !== undefined && (
          <p class="notice stop">What hooks report can’t be stored: {overview.problem}</p>
        )}
        {connection === "out" ? (
          <section class="card">
            <LoggedOut />
          </section>
        ) : (
          <View path={path} />
        )}
      </main>
      <dialog ref={help} aria-label="Keys">
        <h2>Keys</h2>
        <dl>
          {KEYS.filter(([, , needs]) => isOffered(needs)).map(([key, does]) => [
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>,
            <dd key={does}>{does}</dd>,
          ])}
        </dl>
        <button type="button" class="btn" onClick={() => help.current?.close()}>
          Close
        </button>
      </dialog>
    </Frame>
  );
}

function LoggedOut() {
  const { refusal } = useLive();
  if (LOGIN === "token") return <LoginForm />;
  return (
    <Empty title="This browser is logged out">
      {refusal ?? (
        <>
          Run <code>tenterhook dashboard</code> in a terminal. It opens a link that logs in once.
        </>
      )}
    </Empty>
  );
}

/** People of a team log in with their token. */
function LoginForm() {
  const [problem, setProblem] = useState<string>();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const token = String(new FormData(event.currentTarget).get("token")).trim();
    logIn(token).catch(({ message }: Error) => setProblem(message));
  };
  return (
    <form class="login" onSubmit={submit}>
      <h1>Log in</h1>
      {problem !== undefined && (
        <p class="stop problem" role="alert">
          {problem}
        </p>
      )}
      <label>
        Token
        <input class="field" type="password" name="token" autocomplete="current-password" required />
      </label>
      <button type="submit" class="btn strong">
        Log in
      </button>
      <p class="muted">
        Whoever runs this monitor gives you a token: <code>tenterhook daemon token create --role person</code>
        .
      </p>
    </form>
  );
}

function View({ path }: { readonly path: string }) {
  if (path.startsWith("/sessions/")) {
    const id = decodeURIComponent(path.slice("/sessions/".length));
    return <Session key={id} id={id} />;
  }
  switch (path) {
    case "/":
      return <Agents />;
    case "/inbox":
      return <Inbox />;
    case "/activity":
      return <Activity />;
    case "/hooks":
      return <Hooks />;
    case "/replay":
      return <Replay />;
    default:
      return (
        <section class="card">
          <Empty title="There is no such page" />
        </section>
      );
  }
}

const root = document.getElementById("root");
const report = heldReport();
if (report === undefined) await connect();
if (root !== null) render(report === undefined ? <App /> : <Frozen report={report} />, root);
