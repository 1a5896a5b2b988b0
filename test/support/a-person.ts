import type { Standing } from "../../src/monitor/person/standing.ts";

/** Whoever runs the tests may have no terminal, or be an agent: commands and daemons in process are told that it is a person. */
export const aPerson = async (): Promise<Standing & { readonly is: "person" }> => ({
  is: "person",
  hasTerminal: true,
});
