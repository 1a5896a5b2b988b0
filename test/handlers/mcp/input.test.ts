import { expect, it } from "vitest";
import { compileInput } from "../../../src/handlers/mcp/input-template.ts";
import { subjectOf } from "../../../src/rules/fields/judged-event.ts";
import { call, ports } from "../../rules/ports.ts";

it("placeholders become fields of the event, with their types where they stand alone", () => {
  const fill = compileInput({
    command: "${tool_input.command}",
    text: "run ${args.command} in ${cwd} by ${tool}",
    path: "${path}",
    whole: "${tool_input}",
    list: ["${tool_input.list}", "${tool_input.list[1]}", 1, null],
    deep: { number: "${tool_input.number}", flag: "${tool_input.flag}", odd: '${args["odd key"]}' },
    json: "list: ${tool_input.list}; number: ${tool_input.number}",
    nothing: "${tool_input.nothing}",
    inside: "<${tool_input.nothing.deeper}>",
    proto: "${tool_input.constructor.name}",
    plain: "costs $5, $${tool_input.command} and $${x",
    as_it_is: 7,
    empty: "",
  });
  const tool_input = { command: "ls", list: [1, "b"], number: 4.5, flag: false, "odd key": "odd" };
  expect(fill(subjectOf(call("Thing", tool_input), ports))).toEqual({
    command: "ls",
    text: "run ls in /project by Thing",
    path: "",
    whole: tool_input,
    list: [[1, "b"], "b", 1, null],
    deep: { number: 4.5, flag: false, odd: "odd" },
    json: 'list: [1,"b"]; number: 4.5',
    nothing: "",
    inside: "<>",
    proto: "",
    plain: "costs $5, ${tool_input.command} and ${x",
    as_it_is: 7,
    empty: "",
  });
});

it("what an event says is never read as a placeholder again", () => {
  const fill = compileInput({ text: "${tool_input.command}!", alone: "${tool_input.command}" });
  const command = "${session_id} {{session_id}}";
  expect(fill(subjectOf(call("Bash", { command }), ports))).toEqual({ text: `${command}!`, alone: command });
});

it("no input is an empty one", () => {
  expect(compileInput(undefined)(subjectOf(call("Bash", {}), ports))).toEqual({});
});
