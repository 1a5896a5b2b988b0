import { userInfo } from "node:os";
import { afterEach, expect, it, vi } from "vitest";
import { cacheFolder, configFolder, homeFolder, stateFolder } from "../../src/node/user-folders.ts";

afterEach(() => void vi.unstubAllEnvs());

it("the home is where HOME says, of the variables that are given before those of the process", () => {
  vi.stubEnv("HOME", "/process");
  expect([homeFolder(), homeFolder({ HOME: "/given" }), homeFolder({})]).toEqual([
    "/process",
    "/given",
    "/process",
  ]);
});

it.each(["", ".", "home"])("HOME=%j leads nowhere: the system is asked instead", (HOME) => {
  vi.stubEnv("HOME", HOME);
  const { homedir } = userInfo();
  expect([homeFolder(), stateFolder({ HOME }), cacheFolder({ HOME }), configFolder({ HOME })]).toEqual([
    homedir,
    `${homedir}/.local/state/tenterhook`,
    `${homedir}/.cache/tenterhook`,
    `${homedir}/.config/tenterhook`,
  ]);
});
