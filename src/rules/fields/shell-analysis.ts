import type { ShellAnalysis } from "../shell/analysis.ts";
import { isPlainShell } from "../shell/words/plain.ts";
import { shellTextOf } from "./shell-text.ts";
import type { Subject } from "./subject.ts";

type ShellModule = typeof import("../shell/analyse.ts");

let shell: ShellModule | undefined;

/** Loads the shell analysis with its parser, so that every later question is answered at once. */
export async function loadShellAnalysis(): Promise<void> {
  shell ??= await import("../shell/analyse.ts");
  await shell.loadShellParser();
}

/** What must be loaded before this shell text can be analysed, or `undefined`. A plain line needs no parser. */
export function missingForShell(text: string): Promise<void> | undefined {
  if (shell?.shellParserLoaded() === true) return undefined;
  if (!isPlainShell(text)) return loadShellAnalysis();
  if (shell !== undefined) return undefined;
  return import("../shell/analyse.ts").then((loaded) => {
    shell = loaded;
  });
}

/** What a shell text does. Everything {@link missingForShell} names must be loaded. */
export function analysisOf(subject: Subject, text: string): ShellAnalysis {
  const { found } = subject;
  if (found.analysed?.text !== text) found.analysed = { text, analysis: analyse(subject, text) };
  return found.analysed.analysis;
}

function analyse(subject: Subject, text: string): ShellAnalysis {
  const { only } = subject;
  if (only !== undefined && text === shellTextOf(subject)) return { ...only, commands: [only] };
  if (shell === undefined) {
    throw new Error("A shell text was analysed before missingForShell was waited for.");
  }
  return shell.analyseShell(text);
}
