import { deliveryWork } from './deliveries/work.ts';
import { mailWork } from './mail/work.ts';
import type { Work } from './platform/dispatch/work.ts';
import { replayWork } from './replays/work.ts';
import { retryWork } from './retries/work.ts';
import { runWork } from './runs/work.ts';
import { laneWork } from './messages/outbound/work.ts';

/** Every kind of work. The sweep looks after them. */
export const works: readonly Work[] = [deliveryWork, mailWork, replayWork, retryWork, laneWork, runWork];
