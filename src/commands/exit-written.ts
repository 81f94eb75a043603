/** The first fault of standard output or standard error. Without a listener it would end the process with a stack. */
let fault: NodeJS.ErrnoException | undefined;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    fault ??= error;
  });
}

/** Resolves once everything written to a stream is in the pipe or file, or is lost. */
const written = (stream: NodeJS.WriteStream) =>
  new Promise<void>((resolve) => {
    stream.write('', () => resolve());
  });

/**
 * Ends the process once its output is written: `process.exit` alone drops the bytes that a pipe has not taken yet. A
 * reader that leaves early (`| head -1`) has read enough; any other lost output is one line, and exit code 1.
 */
export async function exitWritten(code: number): Promise<never> {
  await written(process.stdout);
  if (code === 0 && fault !== undefined && fault.code !== 'EPIPE') {
    process.stderr.write(
      `standard output cannot be written (${fault.code}): the command was done, but not all was printed\n`,
    );
    code = 1;
  }
  await written(process.stderr);
  process.exit(code);
}
