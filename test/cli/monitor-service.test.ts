import { describe, expect, it } from "vitest";
import { systemdUnit } from "../../src/cli/commands/monitor/daemon/service/service-files.ts";

const START = {
  command: ["/usr/bin/env", "/opt/my tools/t$1 100%.cjs", 'a"b\\c', "monitor"],
  variables: { PATH: "/bin:/opt/100%/bin", XDG_STATE_HOME: '/home/a b/"state"' },
};

describe("the unit of systemd", () => {
  it("quotes what systemd would read otherwise", () => {
    expect(systemdUnit(START).split("\n")).toEqual(
      expect.arrayContaining([
        'ExecStart="/usr/bin/env" "/opt/my tools/t$$1 100%%.cjs" "a\\"b\\\\c" "monitor"',
        'Environment="PATH=/bin:/opt/100%%/bin"',
        'Environment="XDG_STATE_HOME=/home/a b/\\"state\\""',
        "WantedBy=default.target",
      ]),
    );
  });

  it("does not load the secrets of notifications, which agents would inherit", () => {
    expect(systemdUnit(START)).not.toContain("EnvironmentFile");
  });
});
