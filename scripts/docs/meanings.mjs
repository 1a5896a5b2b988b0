// What the words of rules and replies mean, for the reference. The tables in src say which words there are; a page that
// finds one without its meaning here is not written.

/**
 * The words of a table with their meanings, in the order of the table.
 *
 * @param {string} what
 * @param {readonly string[]} words
 * @param {Readonly<Record<string, string>>} meanings
 * @returns {[word: string, meaning: string][]}
 */
export function withMeanings(what, words, meanings) {
  const strange = Object.keys(meanings).filter((word) => !words.includes(word));
  if (strange.length > 0) throw new Error(`There is no ${what} ${strange.join(", ")}.`);
  return words.map((word) => {
    const meaning = meanings[word];
    if (meaning === undefined)
      throw new Error(`The ${what} ${word} has no meaning in scripts/docs/meanings.mjs.`);
    return [word, meaning];
  });
}

export const FIELD_MEANINGS = {
  event: "The name of the event.",
  tool: 'Our name of the tool, and every name an agent gives it: `tool equals "write_file"` fits Write.',
  args: "The input of the tool: `args.file_path`.",
  command: "The shell text of the call.",
  call: "What the call touches, whatever the tool: Read, Edit, `cat x`, `> x`, apply_patch, WebFetch, curl. Only for `runs`, `reads`, `writes`, `connects` and `dynamic`.",
  path: "The file that the call touches, as written, absolute, relative and with links resolved.",
  model: "The model that the event is about.",
};

export const OPERATOR_MEANINGS = {
  equals: "The text is this one.",
  not_equals: "The text is another one.",
  contains: "The text has this in it.",
  starts_with: "The text begins with this.",
  ends_with: "The text ends with this.",
  glob: "The text fits. In a path `*` stays within a segment and `**` crosses segments; elsewhere `*` fits anything.",
  matches:
    "The regular expression fits somewhere. No lookaround, no back-references: its time is linear in the text.",
  in: "The text is one of these.",
  exists: "The event has the field; with `false`, it has not.",
  gt: "The number is greater.",
  gte: "The number is greater or equal.",
  lt: "The number is smaller.",
  lte: "The number is smaller or equal.",
  runs: "A command of the line, after unwrapping, is this program with at least these options, in any order and spelling, and these arguments. `!-n` is an option that must be absent. `@…` is a behaviour.",
  reads:
    "The line, or the call, reads such a file. A wildcard in the line (`cat .e*`) fits if it may name one.",
  writes: "The line, or the call, changes, deletes or moves such a file.",
  connects: "The line, or the call, contacts such a host.",
  dynamic: "The name of a command can't be known without running it.",
};

export const BEHAVIOUR_MEANINGS = {
  loses: "Deletes or empties something that no build can make again.",
  changes: "Changes or moves a file.",
  discloses: "Shows, copies or packs a file.",
  sends: "Sends local data to another machine.",
  "prints-secret": "Prints a secret value.",
  "remote-code": "Runs code that came over the network.",
  "reverse-shell": "Gives another machine a shell on this one.",
  "fork-bomb": "Starts copies of itself without end.",
  overwrites: "Replaces a file of data or secrets that is there (`.env`, `app.db`).",
  kills: "Ends processes by a name or port that others use, too (`killall node`).",
  exposes: "Opens a service to everybody, or gives somebody all rights.",
  preloads:
    "Starts Tenterhook or an agent with a variable or option that loads code into it, or moves an agent's settings.",
  production: "Changes something whose context, host, namespace or flag says prod, production or live.",
};

export const FILTER_MEANINGS = {
  length: "How long a text or a list is.",
  json: "The value as JSON.",
  upper: "In capital letters.",
  lower: "In small letters.",
  truncate: "At most that many characters: `truncate(80)`.",
  default: 'Another text where there is none: `default("x")`.',
};

export const TOP_KEY_MEANINGS = {
  continue: "`false` ends the run.",
  stopReason: "Why; only with `continue: false`.",
  suppressOutput: "Accepted. A JSON reply is never shown anyway.",
  systemMessage: "Shown to the user.",
  decision:
    '`"block"` refuses; `"approve"` allows on PreToolUse and PermissionRequest, and means no opinion elsewhere.',
  reason: "Of `decision`.",
  hookSpecificOutput: "The keys below.",
  terminalSequence: "Passed on to Claude Code.",
};

export const SPECIFIC_KEY_MEANINGS = {
  hookEventName: "Required; must name the event.",
  permissionDecision:
    "The verdict. `allow` means no opinion on ModelSwitch; `defer` asks in every agent but Claude Code.",
  permissionDecisionReason: "Of `permissionDecision`.",
  updatedInput: "The new input, with or without a verdict; also the answers to AskUserQuestion.",
  decision: '`{ behavior: "allow", updatedInput }` or `{ behavior: "deny", message, interrupt }`.',
  updatedToolOutput: "The new result of the tool.",
  updatedMCPToolOutput: "The same, for a tool of an MCP server.",
  action: "The answer to an elicitation.",
  content: "What is filled in; only with `action`.",
  displayContent: "The text that is shown in its place.",
  worktreePath: "The path of the worktree.",
  additionalContext: "Context for the model. On Stop and SubagentStop the agent keeps going with it.",
  classifierContext: "Passed on to Claude Code.",
  initialUserMessage: "Passed on to Claude Code.",
  sessionTitle: "Passed on to Claude Code.",
  watchPaths: "Passed on to Claude Code.",
  reloadSkills: "Passed on to Claude Code.",
  suppressOriginalPrompt: "Passed on to Claude Code.",
  retry: "Passed on to Claude Code.",
};

export const ACTION_KEY_MEANINGS = {
  action: "What to do. Required.",
  reason: "Why.",
  modified_data:
    'With `modify`: `args` is the new input of the tool; on other events the field of that name, such as `{ "prompt": "…" }`.',
  answer:
    "With `answer`: the result of a call that must not run (PreToolUse), or the answer to a question (AgentPrompt).",
  options:
    "With `ask`: labels, or `{ label, description, recommended }`. The hook runs again, with the chosen label as `choice`.",
};
