import { layOut, type Sketch } from './layout.ts';

/** Lays out what it is sent, beside the page's own work. */
self.addEventListener('message', ({ data }: MessageEvent<{ number: number; sketch: Sketch }>) => {
  // A worker has no other window to send to, and its function takes no origin.
  // eslint-disable-next-line unicorn/require-post-message-target-origin
  self.postMessage({ number: data.number, places: layOut(data.sketch) });
});
