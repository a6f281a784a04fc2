import { layOut, type Places, type Sketch } from './layout.ts';

/** Up to so many boxes are laid out within a frame. */
const quick = 24;

type Laid = { number: number; places: Places };

let worker: Worker | undefined;
let count = 0;

/** Lays out at once what takes no longer than a frame, and undefined for the rest. */
export const layOutNow = (sketch: Sketch): Places | undefined =>
  sketch.boxes.length <= quick ? layOut(sketch) : undefined;

/** Lays out in a worker, so that the page goes on meanwhile; in the page where there is no worker. */
export const layOutAside = async (sketch: Sketch): Promise<Places> => {
  const now = layOutNow(sketch);
  if (now) return now;
  count += 1;
  const number = count;
  try {
    worker ??= new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    return await askOf(worker, { number, sketch });
  } catch {
    worker = undefined;
    return layOut(sketch);
  }
};

const askOf = (asked: Worker, question: { number: number; sketch: Sketch }): Promise<Places> =>
  new Promise((resolve, reject) => {
    const answers = new AbortController();
    const { signal } = answers;
    asked.addEventListener(
      'message',
      ({ data }: MessageEvent<Laid>) => {
        if (data.number !== question.number) return;
        answers.abort();
        resolve(data.places);
      },
      { signal },
    );
    asked.addEventListener(
      'error',
      () => {
        answers.abort();
        reject(new Error('the worker of layouts does not start'));
      },
      { signal },
    );
    // A worker is of this origin, and its function takes none.
    // eslint-disable-next-line unicorn/require-post-message-target-origin
    asked.postMessage(question);
  });
