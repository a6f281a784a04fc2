import type { Adversary } from './adversary.ts';
import { noisyBot } from './bot.ts';
import { largeBodies } from './bodies.ts';
import { braces, longUrl, patterns } from './drafts.ts';
import { eventsAtOnce } from './events.ts';
import { longTexts } from './long-texts.ts';
import { oneContact } from './one-contact.ts';
import { deepPaths, manySecrets } from './requests.ts';
import { firesItself, runsAtOnce } from './runs.ts';
import { noisyVisitor, rudeVisitors, visitorsAtOnce } from './visitors.ts';

/** Whoever of an installation takes as much of it as it can: each is one file, or stands beside those of its kind, and here. */
export const adversaries: readonly Adversary[] = [
  firesItself,
  runsAtOnce,
  oneContact,
  eventsAtOnce,
  longUrl,
  braces,
  patterns,
  deepPaths,
  manySecrets,
  longTexts,
  largeBodies,
  noisyVisitor,
  visitorsAtOnce,
  rudeVisitors,
  noisyBot,
];
