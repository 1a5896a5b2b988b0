import { WARM_FLAG } from "../startup/flags.ts";

const [, , , , flag, version] = process.argv;

if (flag === WARM_FLAG) (await import("./warm/child.ts")).decideForParent(version);
else await (await import("./serve-daemon.ts")).serveDaemon();
