const [, , command, ...rest] = process.argv;

// Agents call this one before every tool, so that nothing else may be loaded for it.
if (command === "hook" && rest.every((argument) => argument === "--beside")) import("./hook/main.ts");
else import("./main.ts");
