import { extname } from "node:path";
import { isMap, parseDocument } from "yaml";
import { endLine } from "./flow-list.ts";
import { setJson } from "./set-json.ts";

/**
 * The text of a configuration file that switches the daemon off, or that says nothing about it. Comments stay as they are
 * written.
 */
export function setDaemon(file: string, text: string, enabled: boolean): string {
  const suffix = extname(file).toLowerCase();
  if (suffix === ".json" || suffix === ".jsonc")
    return text.trim() === "" && enabled ? text : setJson(text, ["daemon"], enabled ? undefined : false);
  if (suffix === ".toml") {
    // Keys below a table's name belong to the table.
    const [top = ""] = text.split(/^\s*\[/m, 1);
    const rest = `${top.replace(/^daemon\s*=.*\n?/m, "")}${text.slice(top.length)}`;
    return enabled ? rest : `daemon = false\n${rest}`;
  }
  const document = parseDocument(text, { logLevel: "silent" });
  if (isMap(document.contents) && document.contents.flow === true) {
    if (enabled) document.delete("daemon");
    else document.set("daemon", false);
    return document.toString({ lineWidth: 0 });
  }
  const rest = text.replace(/^daemon[ \t]*:.*\n?/m, "");
  return enabled ? rest : `${endLine(rest)}daemon: false\n`;
}
