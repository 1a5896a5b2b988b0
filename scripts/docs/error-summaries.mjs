/**
 * What each error means, for the reference page of errors.
 *
 * @type {Readonly<Record<import("../../src/core/base/errors.ts").ErrorCode, string>>}
 */
export const ERROR_SUMMARIES = {
  unknown_event: "An event name that is in no table and was not declared.",
  invalid_event: "An event that lacks a required field, or has one of the wrong type.",
  invalid_declaration: "hooks.declare was called with a name or effects it can't take.",
  unknown_option: "An unknown option, limit or matcher field.",
  invalid_option: "An option, limit or matcher field with a value it can't have.",
  bad_pattern: "A glob or regular expression that can't be compiled.",
  bad_rule:
    "An inline rule or condition that can't be read: a misspelt operator, a missing value, an unknown key.",
  bad_example: "An example of an inline hook that its rules do not decide the way the example says.",
  duplicate_hook: "Two hooks of one set have the same name.",
  unknown_hook: "A name that no hook has.",
  include_cycle: "A hook set includes itself, directly or through another one.",
  unsupported_matcher: "A matcher field that needs a part this hook set was made without.",
  invalid_outcome: "An outcome made with arguments it can't have, such as keepGoing() without a reason.",
  invalid_definition: "A hook definition without a name, a known type or events.",
  effect_not_allowed:
    "A hook that wants to do what none of its events allows, such as a rewrite on Notification.",
  unknown_tool: "A hook, a rule or a permission names a tool that a strict agent does not have.",
  unknown_pack: "A pack of rules that does not ship with the package.",
  config_syntax: "A configuration file that is not valid YAML, JSON or TOML, or gives a key twice.",
  config_invalid:
    "A configuration with keys, values or hooks that can't be used; the message lists every one.",
  config_unreadable:
    "A configuration file that is there but can't be read: no permission, a folder, a broken link.",
  policy_unavailable:
    "A policy that hooks.use names by its address, and that can't be fetched or is not what was pinned.",
  model_unavailable: "A model that can't be used: an unknown provider, a missing key, an invalid address.",
  bad_script: "A script for the scripted model with a step that can't be played.",
  agent_busy: "An agent was given a task while it was working on another one.",
  agent_closed: "An agent was given a task after close().",
  model_switch_denied: "switchModel did not switch: a hook refused, or asked and nobody agreed.",
  hook_turn_limit: "A client submitted a hook input after hooks had started as many turns as they may.",
  usage_error: "A command line that can't be understood.",
  ambiguous_name: "The beginning of several names.",
  unknown_run: "A run that the shared database does not have.",
  unknown_worker: "A worker of the fleet that has given no sign of life for an hour, or was never there.",
  unknown_session: "A session without a recording.",
  file_exists: "A file that would be overwritten.",
  write_failed: "A file that can't be written.",
  needs_node: "A part that needs Node was used in a bundle for browsers or workers.",
  managed_hook: "A hook of the managed scope, which lower scopes can't turn off.",
  confirmation_needed: "Something that must be confirmed, where nobody can be asked.",
  state_unwritable:
    "Something that must be remembered could not be written: a read-only or full disk, or no permission.",
  store_failed:
    "A store of transcripts or of the monitor that can't be read or written: a full disk, no permission, a closed store.",
  invalid_answer: "An answer to a question that is not understood. It counts as neither yes nor no.",
  not_waiting: "An answer to a call that does not wait for one: it was answered before, or never asked.",
  answer_missing: "A session waits for a human, nobody can be asked, and no answer was given.",
  store_damaged: "A record of a transcript that can't be read, though others follow it. Nothing was changed.",
  invalid_record: "A message or record that is not JSON data, has no id, or has an unknown status.",
  unknown_agent:
    "An agent, a turn or a message that no transcript contains, or an agent that the monitor does not know.",
  agent_exists: "An agent_id that is already in use.",
  agent_in_use: "An agent that another process, or another Agent of this one, is running.",
  agent_changed:
    "An agent that somebody else has run since this one was read: continuing would mix two conversations.",
  bad_permission:
    "A permission rule that can't be read: an unknown form, a tool that takes no specifier, a bad pattern.",
  settings_unreadable:
    "A settings file of another program that can't be parsed, or has something else where hooks belong.",
  no_prompt: "An answer to an agent that waits for none, or whose prompt was answered before.",
  agent_unreachable: "An agent that can't be messaged or ended from here.",
  unknown_decision: "A decision that the monitor does not have.",
  not_a_person:
    "A question for a human that an agent, or something that an agent has started, tries to answer.",
  decision_closed: "An answer to a decision that was answered, replaced or dismissed before.",
  call_changed: "An answer to a call that the agent has replaced by another one since it asked.",
  monitor_unreachable: "The monitor's daemon does not answer, or could not be started.",
  not_allowed: "A token that is unknown, expired, revoked or another machine's, or that does not allow this.",
  agent_cannot: "A hook decides something that an agent has no way to hear, so nothing was installed.",
  tool_suspended: "toolCall did not run the tool: a hook asks, and the call waits for a human (`suspend`).",
  tool_timeout: "A tool took longer than hooks allow it (timeLimit).",
  tool_denied:
    "toolCall did not run the tool: a hook denied it, ended the run, or asked and nobody granted it.",
  tool_failed: "A tool of the agent could not do what its input asks; the message is what the model reads.",
};
