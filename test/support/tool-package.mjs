import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Installs the packages of a folder that has a lockfile of its own, unless they are there.
 * @param folder from the root.
 * @returns its folder of packages.
 * @throws Error where npm cannot install them, for example without a registry.
 */
export async function installTools(folder) {
  const packages = join(ROOT, folder, 'node_modules');
  const installed = join(packages, '.package-lock.json');
  const lockfile = join(ROOT, folder, 'package-lock.json');
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lockfile).mtimeMs) {
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await promisify(execFile)('npm', ['ci', ...options], { cwd: join(ROOT, folder) });
  }
  return packages;
}
