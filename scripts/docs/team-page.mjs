const ROLES = /** @type {const} */ (["reporter", "person", "viewer"]);

/**
 * What each token can do.
 *
 * @param {readonly import("../../src/monitor/team/routes.ts").TeamRoute[]} routes
 * @param {<Item>(items: readonly Item[], cells: (item: Item) => readonly string[]) => string} rows
 */
export function teamPage(routes, rows) {
  const table = rows(routes, ({ method, path, roles, about }) => [
    `\`${method} ${path}\``,
    about,
    ...ROLES.map((role) => (roles.includes(role) ? "yes" : "–")),
  ]);
  return [
    "# What a token can do",
    "",
    "The requests of `tenterhook daemon serve`, each with the roles that may make it. What is not here does not exist for another machine,",
    "and a token that is unknown, expired, revoked or another machine's can do nothing. A person's token is taken over TLS only. The files of",
    "the page need no token: they contain nothing of anybody.",
    "",
    `| request | what | ${ROLES.join(" | ")} |`,
    `| --- | --- | ${ROLES.map(() => "---").join(" | ")} |`,
    table,
  ].join("\n");
}
