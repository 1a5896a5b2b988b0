/** @typedef {<T>(items: readonly T[], cells: (item: T) => readonly string[]) => string} Rows */

/**
 * The reference page of the monitor's triggers, from the tables that files are checked with.
 *
 * @param {typeof import("../../src/shared/monitor/triggers.ts")} triggers
 * @param {typeof import("../../src/shared/monitor/settings.ts")} settings
 * @param {Rows} rows
 */
export function triggersPage({ ACTIONS, TRIGGERS, VALIDITY }, { TRIGGER_KEYS, TRIGGER_FIELDS }, rows) {
  const mark = (/** @type {true | string} */ valid) => (valid === true ? "yes" : "");
  const matrix = rows(ACTIONS, (action) => [
    `\`${action}\``,
    ...TRIGGERS.map((trigger) => mark(VALIDITY[trigger][action])),
  ]);
  const reasons = TRIGGERS.flatMap((trigger) =>
    ACTIONS.flatMap((action) => {
      const valid = VALIDITY[trigger][action];
      return valid === true ? [] : [{ trigger, action, why: valid }];
    }),
  );
  const keys = rows(Object.entries(TRIGGER_FIELDS), ([key, { docs }]) => {
    const { actions, triggers } = TRIGGER_KEYS[/** @type {keyof typeof TRIGGER_KEYS} */ (key)];
    const all = actions.length === ACTIONS.length;
    return [
      `\`${key}\``,
      all ? "all" : actions.map((action) => `\`${action}\``).join(", "),
      triggers === undefined ? "" : triggers.map((trigger) => `\`${trigger}\``).join(", "),
      docs,
    ];
  });
  const head = `| action | ${TRIGGERS.map((trigger) => `\`${trigger}\``).join(" | ")} |\n| --- |${TRIGGERS.map(() => " --- |").join("")}\n`;
  return [
    "# Triggers of the monitor\n\nWhat `monitor.on_…` can do in a configuration. Anything else is an error when the file is loaded. The guide is [The monitor](../guides/monitor.md).\n\n",
    `## Actions\n\n${head}${matrix}\n`,
    `## Why not\n\n| trigger | action | why not |\n| --- | --- | --- |\n${rows(reasons, ({ trigger, action, why }) => [`\`${trigger}\``, `\`${action}\``, `${why[0]?.toUpperCase()}${why.slice(1)}.`])}\n`,
    `## Keys\n\n| key | actions | only at | |\n| --- | --- | --- | --- |\n${keys}`,
  ].join("");
}
