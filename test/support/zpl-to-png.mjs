// Draws ZPL documents as a printer would. A process of its own: its WebAssembly needs globals that tests do not have.
// Standard input: [{ "zpl": …, "width": mm, "height": mm }]. Standard output: for each document, its labels as base64 PNG.
import { text } from 'node:stream/consumers';
import { ready } from 'zpl-renderer-js';

const documents = JSON.parse(await text(process.stdin));
const { api } = await ready;
const printed = [];
for (const { zpl, width, height } of documents)
  printed.push(await api.zplToBase64MultipleAsync(zpl, width, height, 8));
process.stdout.write(JSON.stringify(printed), () => process.exit(0));
