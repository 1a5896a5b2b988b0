import manifest from "../../../package.json" with { type: "json" };

/** The subpaths that are modules, each with the files package.json gives for it. */
export const modules = Object.entries(manifest.exports).flatMap(([subpath, target]) =>
  typeof target === "string" ? [] : [{ subpath, types: target.types, default: target.default }],
);
