// Runs the embedded PostgreSQL in a separate process, which a test can kill or run as another user.
// Arguments: the compiled module, the data folder. Prints one line of JSON when it has started or failed, and stops
// at the end of its standard input.
const [module, dataDir] = process.argv.slice(2);
const { startEmbeddedPostgres } = await import(module);
try {
  const postgres = await startEmbeddedPostgres({ dataDir });
  console.log(JSON.stringify({ ownerUrl: postgres.ownerUrl }));
  process.stdin.resume().once('end', () => void postgres.stop().then(() => process.exit(0)));
} catch (error) {
  console.log(JSON.stringify({ name: error.name, message: error.message }));
  process.exit(1);
}
