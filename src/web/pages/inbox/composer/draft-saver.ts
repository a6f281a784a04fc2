import { isTemporary } from '../../../api/failure.ts';

/** How long after the last key a draft is saved, and after a failure once more, in ms. */
const pauseMs = 600;
const againMs = 5_000;

/** Saves a text as the draft; an empty one deletes it. */
type SaveText = (text: string) => Promise<unknown>;

export type DraftSaver = {
  /** Saves the text soon; of several at once the last. */
  change: (text: string) => void;
  /** Saves now what is not saved. */
  flush: () => void;
  /** Forgets what is not saved: the text is sent. Ends when nothing is under way, which would bring the draft back. */
  drop: () => Promise<void>;
  /** Saves nothing until this has ended: sending a reply deletes its draft, and would take one along that is begun meanwhile. */
  hold: (until: Promise<unknown>) => void;
  /** Whether something is being waited for. */
  isHeld: () => boolean;
  isSaved: () => boolean;
};

/** Saves a draft while it is written, one request at a time. `tell` hears whenever it is saved, or not any more. */
export const createDraftSaver = (save: SaveText, tell: () => void): DraftSaver => {
  let unsaved: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<void> | undefined;
  let held: Promise<unknown> = Promise.resolve();
  let holds = 0;

  const run = async (): Promise<void> => {
    await held;
    while (unsaved !== undefined) {
      const text = unsaved;
      try {
        await save(text);
        if (unsaved === text) unsaved = undefined;
      } catch (error) {
        // What is refused is refused again: the next key tries once more.
        if (unsaved !== undefined && isTemporary(error)) timer = setTimeout(flush, againMs);
        break;
      }
    }
    underWay = undefined;
    tell();
  };
  const bothEnd = async (one: Promise<unknown>, other: Promise<unknown>): Promise<void> => {
    holds += 1;
    await Promise.allSettled([one, other]);
    holds -= 1;
  };
  const flush = (): void => {
    clearTimeout(timer);
    if (unsaved !== undefined) underWay ??= run();
  };
  return {
    change: (text) => {
      unsaved = text;
      clearTimeout(timer);
      timer = setTimeout(flush, pauseMs);
      tell();
    },
    flush,
    drop: async () => {
      clearTimeout(timer);
      unsaved = undefined;
      await underWay;
    },
    hold: (until) => {
      held = bothEnd(held, until);
    },
    isHeld: () => holds > 0,
    isSaved: () => unsaved === undefined,
  };
};
