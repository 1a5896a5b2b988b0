import { layersOf, type ReadConfig } from "../combine/unit.ts";
import type { Inputs } from "../find/inputs.ts";
import { projectTrustables } from "./project-trustables.ts";
import { needsTrust, type Trustables } from "./trustable.ts";

/**
 * Collects what needs trust, each project around the working folder by itself. The programs of `.agent/hook.toml` belong
 * to the working folder, whatever projects are around it.
 */
export function trustablesOf({ cwd, root: nearest, units, agent }: ReadConfig, inputs: Inputs): Trustables {
  const layers = layersOf(units).filter(({ scope }) => needsTrust(scope));
  const roots = new Set([...layers.map(({ root }) => root), ...(agent === undefined ? [] : [cwd])]);
  const projects = new Map(
    [...roots].map((project) => {
      const own = layers.filter(({ root }) => root === project);
      const parts = { project, nearest, layers: own, ...(project === cwd ? { agent } : {}) };
      return [project, projectTrustables(parts, inputs)];
    }),
  );
  return {
    root: nearest,
    all: new Map([...projects.values()].flatMap(({ all }) => [...all])),
    // A project nobody knows stands on a trustable nobody knows, which is not trusted.
    ofEntry: (layer, entry) =>
      needsTrust(layer.scope) ? (projects.get(layer.root)?.ofEntry(layer, entry) ?? [layer.root]) : [],
    ofKey: (layer, file, key) =>
      needsTrust(layer.scope) ? (projects.get(layer.root)?.ofKey(layer, file, key) ?? [layer.root]) : [],
    ofAgentHook: (file, name) => projects.get(cwd)?.ofAgentHook(file, name) ?? [cwd],
  };
}
