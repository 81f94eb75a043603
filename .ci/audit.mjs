// Fails if a package that runs in production has a known vulnerability that is high or critical.
import { spawnSync } from 'node:child_process';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
const { metadata, vulnerabilities = {}, message } = JSON.parse(stdout || '{}');
if (!metadata) {
  // Mirrors of the registry often have no advisories: that says nothing about the change.
  console.log(`npm audit: not checked, this registry has no advisories (${message ?? 'no answer'})`);
} else {
  const severe = Object.values(vulnerabilities).filter(({ severity }) =>
    ['high', 'critical'].includes(severity),
  );
  for (const { name, severity, range } of severe) console.log(`${severity}: ${name} ${range}`);
  console.log(
    `npm audit: ${severe.length} high or critical in ${metadata.dependencies?.prod ?? '?'} packages`,
  );
  if (severe.length > 0) process.exitCode = 1;
}
