import { WARM_FLAG } from "../startup/flags.ts";

if (process.argv.includes(WARM_FLAG)) (await import("./warm/child.ts")).decideForParent();
else await (await import("./serve-daemon.ts")).serveDaemon();
