import type { Installation } from './installation.ts';
import type { Receiver } from './receiver.ts';

/** Where the story plays, and who tells it. */
export type Setting = { parley: Installation; receiver: Receiver; say: (line: string) => void };
