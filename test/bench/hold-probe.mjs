// Preloaded into the service: says on the socket at HOLD_PROBE how long its event loop was held at most, in ms, since it
// was last asked.
import { createServer } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  createServer((socket) => {
    socket.end(String(delay.max / 1e6));
    delay.reset();
  })
    .listen(process.env.HOLD_PROBE)
    .unref();
}
