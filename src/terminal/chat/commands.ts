import { didYouMean } from "../../core/base/suggest.ts";
import type { HookRun } from "../../core/decide/decision.ts";
import { harmless, harmlessName } from "../../shared/harmless.ts";
import { ageText } from "../age.ts";
import type { TableRow } from "../cells/cell.ts";
import { columns, padded } from "../layout.ts";
import { counted } from "../words.ts";
import { Conversation } from "./conversation.ts";
import type { ChatPort, Compacted, HookSwitch } from "./port.ts";

/** A command of the chat. */
interface SlashCommand {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  /** True when it needs an agent that waits for the user. */
  readonly idle?: true;
  readonly run: (chat: Conversation, words: string) => Promise<void>;
}

function isSwitch(word: string): word is HookSwitch {
  return ["enable", "disable", "shadow"].includes(word);
}

const COMPACTED: Readonly<Record<Compacted, string>> = {
  done: "The conversation was summed up.",
  "too little": "There is too little to sum up.",
  stopped: "Nothing was summed up.",
};

const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    name: "hooks",
    usage: "/hooks [enable|disable|shadow NAME]",
    help: "the hooks in force, what each said last; switch one on or off, or let it only watch",
    run: async (chat, words) => {
      const [action = "", name = ""] = words.split(/\s+/);
      if (action === "") return chat.print(await hookRows(chat));
      if (name === "" || !isSwitch(action))
        return chat.say("/hooks enable NAME, /hooks disable NAME, /hooks shadow NAME, or /hooks alone.");
      chat.say(await chat.port.switchHook(name, action));
      chat.refreshInfo();
    },
  },
  {
    name: "resume",
    usage: "/resume [ID]",
    help: "continue an earlier session",
    idle: true,
    run: async (chat, id) => {
      if (id !== "") return chat.reopen({ type: "resume", id });
      const sessions = (await chat.port.sessions()).filter((one) => one.id !== chat.session?.agent_id);
      if (sessions.length === 0) return chat.say("There is no earlier session of this folder.");
      const now = chat.port.now();
      chat.choose(
        "Which session?",
        sessions.map(({ id: value, title, updated_at }) => ({
          value,
          label: title || value,
          age: ageText(updated_at, now),
        })),
      );
    },
  },
  {
    name: "fork",
    usage: "/fork [TURN]",
    help: "go on in a copy of this session, from a turn on",
    idle: true,
    run: async (chat, words) => {
      const turn = words === "" ? undefined : Number(words);
      if (turn !== undefined && !(Number.isInteger(turn) && turn > 0))
        return chat.say("Which turn? A number from 1 on.");
      const id = chat.session?.agent_id ?? "";
      await chat.reopen({ type: "fork", id, turn });
    },
  },
  {
    name: "model",
    usage: "/model [NAME]",
    help: "use another model from now on",
    run: async (chat, name) => {
      if (name === "") return chat.say(`The model is ${chat.state.cells.model ?? chat.state.model}.`);
      await chat.session?.switchModel(name);
    },
  },
  {
    name: "compact",
    usage: "/compact",
    help: "replace what the model has seen by a summary; the transcript keeps everything",
    idle: true,
    run: async (chat) => {
      const done = await chat.working(async () => chat.session?.compact());
      if (done !== undefined) chat.say(COMPACTED[done]);
    },
  },
  {
    name: "help",
    usage: "/help",
    help: "commands and keys",
    run: async (chat) =>
      chat.print([...SLASH_COMMANDS.map(({ usage, help }) => [usage, help] as const), ...KEYS]),
  },
  {
    name: "quit",
    usage: "/quit",
    help: "leave; the session can be resumed",
    run: async (chat) => chat.leave(),
  },
];

const KEYS: readonly TableRow[] = [
  ["enter", "send; while the agent works, it reads the message at its next step"],
  ["alt-enter, \\ enter", "a new line"],
  ["esc", "interrupt the model, a tool or a hook"],
  ["ctrl-o", "all output, unfolded"],
  ["↑ ↓", "what you typed before"],
  ["@", "the name of a file; tab takes it"],
  ["ctrl-c twice", "leave"],
];

async function hookRows(chat: Conversation): Promise<readonly TableRow[]> {
  const rows = await chat.port.hooks();
  const wide = Math.max(...rows.map(({ name }) => columns(harmlessName(name))));
  return rows.map(({ name, state, events }) => {
    const seen = chat.hookRuns.get(name);
    const ran =
      seen === undefined ? "" : `  ran ${counted(seen.count, "time")}, last: ${lastText(seen.last)}`;
    return [`${padded(harmlessName(name), wide)}  ${state}`, `${events} ${harmless(ran)}`.trimEnd()];
  });
}

function lastText({ outcome, failure }: HookRun): string {
  if (failure !== undefined) return `failed (${failure.kind}): ${failure.message}`;
  if (outcome === undefined) return "nothing to say";
  const { action = "spoke", reason = "" } = outcome;
  return reason === "" ? action : `${action}: ${reason}`;
}

/** Runs what was typed after `/`; the beginning of a name is enough. Returns false when it is no command. */
async function runSlash(chat: Conversation, typed: string): Promise<boolean> {
  const [, name, words = ""] = /^\/([a-z]+)(?:\s+(.*))?$/s.exec(typed) ?? [];
  if (name === undefined) return false;
  const command = SLASH_COMMANDS.find((one) => one.name.startsWith(name));
  if (command === undefined) {
    const near = didYouMean(
      name,
      SLASH_COMMANDS.map((one) => one.name),
    );
    chat.say(`There is no command /${name}.${near} /help lists them.`);
  } else if (command.idle === true && chat.state.busySince !== undefined)
    chat.say(`The agent works. Esc interrupts it, then /${command.name}.`);
  else await command.run(chat, words.trim());
  return true;
}

/** A conversation that knows these commands. */
export function newConversation(port: ChatPort): Conversation {
  return new Conversation(port, runSlash);
}
