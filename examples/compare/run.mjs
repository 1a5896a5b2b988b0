// Does the four tasks with one package: node run.mjs tenterhook. Prints what ran and whether the model read what it should.
const [name] = process.argv.slice(2);
const tasks = await import(`./${name}.mjs`);

/** A model that wants these commands, one after another, and answers at the end. */
function wanting(...commands) {
  let at = 0;
  return () => {
    const command = commands[at];
    at += 1;
    return { command, text: "Done." };
  };
}

let tries = 0;
const testsPass = () => {
  tries += 1;
  return tries > 1;
};

const block = await tasks.block(wanting("git push", "git status"));
const rewrite = await tasks.rewrite(wanting("npm publish"));
const context = await tasks.context(wanting("git status"));
const keepGoing = await tasks.keepGoing(wanting("npm test"), testsPass);
console.log(
  JSON.stringify({
    block: [block.ran, block.read.includes("Pushing is for humans.")],
    rewrite: rewrite.ran,
    context: context.read.includes("The branch is main."),
    keepGoing: [keepGoing.ran, keepGoing.read.includes("The tests fail."), tries],
  }),
);
