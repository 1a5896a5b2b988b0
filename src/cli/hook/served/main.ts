import { WARM_FLAG } from "../startup/flags.ts";

const [, , , , flag, version] = process.argv;

if (flag === WARM_FLAG) import("./warm/child.ts").then(({ decideForParent }) => decideForParent(version));
else import("./serve-daemon.ts").then(({ serveDaemon }) => serveDaemon());
