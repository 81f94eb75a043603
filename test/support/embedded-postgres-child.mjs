// Uses the embedded PostgreSQL in a process of its own, which a test can kill or run as another user.
// Arguments: the compiled module, the data folder. Prints one line of JSON once it has started, or failed.
// Stops when its standard input ends.
const [module, dataDir] = process.argv.slice(2);
const { startEmbeddedPostgres } = await import(module);
try {
  const postgres = await startEmbeddedPostgres({ dataDir });
  console.log(JSON.stringify({ url: postgres.url }));
  process.stdin.resume().once('end', () => void postgres.stop().then(() => process.exit(0)));
} catch (error) {
  console.log(JSON.stringify({ name: error.name, message: error.message }));
  process.exit(1);
}
