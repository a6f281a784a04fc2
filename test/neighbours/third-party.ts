import { startReceiver } from '../helpers/receiver.ts';

/** An answer of 1 MB, which has much at every level. */
const megabyte = JSON.stringify(
  Array.from({ length: 20_000 }, (_, at) => ({ a: { b: [at, at + 1, at + 2] }, c: `text ${at}`, d: [[[at]]] })),
);

/** What adversaries have called, in a process of its own: it answers at `/large`, and never at `/silent`. Tells its parent where it is. */
const receiver = await startReceiver({
  respond: ({ path }) =>
    path === '/silent'
      ? { type: 'hang' }
      : { type: 'respond', headers: { 'content-type': 'application/json' }, body: megabyte },
});
process.send?.({ url: receiver.url('/'), caPem: receiver.caPem });
