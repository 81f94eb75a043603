// Draws ZPL (standard input) as a printer would, with one line of base64 PNG for each label. A process of its own: its
// WebAssembly needs globals that tests do not have.
// zpl-to-png.mjs <width in mm> <height in mm>
import { text } from 'node:stream/consumers';
import { ready } from 'zpl-renderer-js';

const [width, height] = process.argv.slice(2).map(Number);
const { api } = await ready;
const labels = await api.zplToBase64MultipleAsync(await text(process.stdin), width, height, 8);
process.stdout.write(labels.join('\n'));
process.exit(0);
