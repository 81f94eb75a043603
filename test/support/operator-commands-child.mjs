// Runs operator commands of the build, each as `node dist/src/cli.js` would, in one process: loading the service takes
// seconds, a command a tenth of one. `cli.js` itself is evaluated anew for each command; what it imports stays loaded.
// From the parent: arguments and environment. To it: exit code, standard output and standard error.

/** Ends a command, in place of the process. */
class Exit {
  constructor(code) {
    this.code = code;
  }
}

const exit = process.exit.bind(process);
process.exit = (code) => {
  throw new Exit(code);
};
process.on('disconnect', () => exit(0));

let count = 0;
let printed;
for (const name of ['stdout', 'stderr']) {
  process[name].write = (text, done) => {
    printed[name] += text;
    done?.();
    return true;
  };
}

process.on('message', async ({ args, env }) => {
  printed = { stdout: '', stderr: '' };
  process.env = env;
  process.argv = [process.argv[0], 'cli.js', ...args];
  const end = await import(`../../dist/src/cli.js?${++count}`).catch((thrown) => thrown);
  if (!(end instanceof Exit)) throw end;
  process.send({ code: end.code, ...printed });
});
