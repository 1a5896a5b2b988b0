export interface ServiceStart {
  readonly command: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** A unit of systemd's user instance. It must not load `monitor.env`: what the daemon starts would inherit its secrets. */
export function systemdUnit({ command, variables }: ServiceStart): string {
  // In commands systemd also replaces variables.
  const words = command.map((word) => systemdWord(word.replaceAll("$", "$$$$")));
  return `[Unit]
Description=Tenterhook monitor: what your agents do, and what they ask

[Service]
ExecStart=${words.join(" ")}
${Object.entries(variables)
  .map(([name, value]) => `Environment=${systemdWord(`${name}=${value}`)}\n`)
  .join("")}Restart=on-failure
RestartSec=5
UMask=0077

[Install]
WantedBy=default.target
`;
}

export function launchdPlist(label: string, { command, variables }: ServiceStart): string {
  const strings = command.map((word) => `    <string>${xml(word)}</string>\n`).join("");
  const pairs = Object.entries(variables)
    .map(([name, value]) => `    <key>${xml(name)}</key>\n    <string>${xml(value)}</string>\n`)
    .join("");
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${xml(label)}</string>
  <key>ProgramArguments</key>
  <array>
${strings}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${pairs}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`;
}

function systemdWord(word: string): string {
  const escaped = word
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("%", "%%")
    .replaceAll("\n", "\\n");
  return `"${escaped}"`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function xml(text: string): string {
  return text.replaceAll(/[&<>]/g, (letter) => ENTITIES[letter] ?? "");
}
