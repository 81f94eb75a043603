import { connect } from 'node:net';
import type { Answer } from './test-app.js';

/** Sends bytes that `fetch` would refuse to send, and reads until the server closes. */
export async function exchange(url: string, ...parts: (string | Buffer)[]): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('close', () => resolve());
    // The server may close before it has read everything; its answer has arrived by then.
    socket.on('error', (error) => chunks.length === 0 && reject(error));
  });
  for (const part of parts) socket.write(part);
  await closed;
  return readAnswer(Buffer.concat(chunks).toString());
}

/** The head of a request whose connection the server closes after its answer. */
export function requestHead(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

function readAnswer(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
  const body = rest.join('\r\n\r\n');
  return { status: Number(statusLine.split(' ')[1]), headers, text: body, body: parse(body) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
