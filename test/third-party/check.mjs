// What tools of others say of openapi.json and of the service that it describes, as a table; exits 1 if they find
// anything. Files in which they find nothing are recorded in passed.json: with --unless-passed they are not checked again.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installTools } from '../support/tool-package.mjs';
import { fingerprint, RECORD } from './record.mjs';
import { startService } from './service.mjs';
import * as tools from './tools.mjs';

const CHECKS = {
  newman: tools.newman,
  '@stoplight/prism-cli': tools.prism,
  '@redocly/cli (recommended-strict)': tools.redocly,
  '@stoplight/spectral-cli (spectral:oas)': tools.spectral,
  '@redocly/cli (recommended-strict), OpenAPI 3.0': tools.redocly30,
  '@stoplight/spectral-cli (spectral:oas), OpenAPI 3.0': tools.spectral30,
  'openapi-typescript (its defaults, under strict)': tools.openapiTypescript,
  '@hey-api/openapi-ts (its defaults, under strict)': tools.heyApi,
};

const files = fingerprint();
const recorded = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : undefined;
if (process.argv.includes('--unless-passed') && recorded?.files === files) {
  console.log('Recorded for these very files; `npm run openapi:check` checks them again:');
  print(recorded.findings);
} else {
  const found = await check();
  const findings = Object.fromEntries(Object.entries(found).map(([tool, faults]) => [tool, faults.length]));
  print(findings);
  for (const [tool, faults] of Object.entries(found))
    for (const fault of faults) console.log(`${tool}: ${fault}`);
  if (Object.values(findings).some((count) => count > 0)) process.exitCode = 1;
  else writeFileSync(RECORD, `${JSON.stringify({ files, findings }, null, 2)}\n`);
}

/** What each tool finds. */
async function check() {
  await installTools('test/third-party');
  await installTools('test/postman');
  const folder = mkdtempSync(join(tmpdir(), 'guias-third-party-'));
  const service = await startService(folder);
  try {
    const found = {};
    for (const [tool, check] of Object.entries(CHECKS)) found[tool] = await check(folder, service);
    return found;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(findings) {
  console.table(Object.entries(findings).map(([tool, count]) => ({ tool, findings: count })));
}
