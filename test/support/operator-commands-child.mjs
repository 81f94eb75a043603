// Runs what the build ends by itself, operator commands (`cli.js`) and starts that fail (`main.js`), each as in a process of
// its own, in one: loading the service takes seconds, a command a tenth of one. The file itself is evaluated anew each
// time; what it imports stays loaded. From the parent: file, arguments and environment. To it: exit code, standard
// output and standard error.

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
// Each start listens to both.
for (const one of [process, process.stdout]) one.setMaxListeners(0);

let count = 0;
let printed;
for (const name of ['stdout', 'stderr']) {
  process[name].write = (text, done) => {
    printed[name] += text;
    done?.();
    return true;
  };
}

process.on('message', async ({ file, args, env }) => {
  printed = { stdout: '', stderr: '' };
  process.env = env;
  process.argv = [process.argv[0], file, ...args];
  const end = await import(`../../dist/src/${file}?${++count}`).catch((thrown) => thrown);
  if (!(end instanceof Exit)) throw end;
  process.send({ code: end.code, ...printed });
});
